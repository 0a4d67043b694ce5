import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const table = "Set TABLE_NAME to the name of the shop's table.\n";
const secret = "Set SETTINGS_SECRET to the ARN of the secret SettingsKeys.\n";
const owner = ["--email", "you@example.com", "--name", "You"];

test.each([
  ["first-owner", owner, {}, table],
  ["export-customer", ["--email", "asha@example.com"], {}, table],
  ["lift-mail-block", ["--email", "asha@example.com"], {}, table],
  ["reseal-settings", [], {}, table],
  ["reseal-settings", [], { TABLE_NAME: "" }, table],
  ["reseal-settings", [], { TABLE_NAME: "shop" }, secret],
])(
  "the command %s %j names the variable to set if the environment is %j",
  (name, args, env, sentence) => {
    const file = fileURLToPath(new URL(`../../infra/cli/${name}.ts`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
      env,
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([1, "", sentence]);
  },
);
