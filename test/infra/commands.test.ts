import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const table = "Name the shop's table in TABLE_NAME.\n";
const secret = "Give the ARN of the secret with the settings' keys in SETTINGS_SECRET.\n";
const owner = ["--email", "you@example.com", "--name", "You"];

test.each([
  ["first-owner", owner, {}, table],
  ["reseal-settings", [], {}, table],
  ["reseal-settings", [], { TABLE_NAME: "" }, table],
  ["reseal-settings", [], { TABLE_NAME: "shop" }, secret],
])("%s %j in the environment %j says in one sentence what to set", (name, args, env, sentence) => {
  const file = fileURLToPath(new URL(`../../infra/${name}.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    env,
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([1, "", sentence]);
});
