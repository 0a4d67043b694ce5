// @module-tag slow
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "noun-"));
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const path of listed.split("\0").filter(Boolean)) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterEach(() => rmSync(copy, { recursive: true }));

/** Runs a program of Node in the copy, without the variables by which this test run is configured. */
function run(...args: readonly string[]): string {
  const { HOME = "", PATH = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env: { HOME, PATH },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

test.each([
  ["showroom", "--slug --public --pictures --hidden"],
  ["art-fair", "--prefix fair --pictures"],
])(
  "the noun that `npm run noun -- content %s %s` adds compiles and passes its tests",
  (name, flags) => {
    run("infra/cli/noun.ts", "content", name, ...flags.split(" "));
    run("infra/generated/generate.ts");
    run("node_modules/.bin/tsc", "--noEmit");
    const tests = [`test/api/admin/content/${name}s.test.ts`, "test/unit/generated"];
    const vitest = "node_modules/vitest/vitest.mjs";
    run(vitest, "run", "--config", "test/vitest.config.ts", ...tests);
  },
  3_600_000,
);

test("a noun is not added over an existing file, and an incomplete command explains itself", () => {
  expect(() => run("infra/cli/noun.ts", "content", "redirect", "--slug")).toThrow(
    "shared/domain/content/redirect.ts exists already.",
  );
  expect(() => run("infra/cli/noun.ts", "content", "showroom")).toThrow("Usage: npm run noun");
});
