// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProjectCopy, copyProject } from "./project-copy.ts";

let copy: ProjectCopy;
beforeEach(() => {
  copy = copyProject();
});
afterEach(() => copy.remove());

const grantsIn = ({ folder }: ProjectCopy) => join(folder, "functions/grants.ts");
const record = (...args: readonly string[]) =>
  copy.run("infra/generated/generate.ts", "grants", ...args);

test("a function's permissions are recorded from a test that is refused without them", () => {
  const recorded = readFileSync(grantsIn(copy), "utf8");
  writeFileSync(grantsIn(copy), recorded.replace(/^ {2}analytics: \{.*?^ {2}\},\n/ms, ""));
  const tests = "test/api/analytics";
  const vitest = "node_modules/vitest/vitest.mjs";
  expect(() => copy.run(vitest, "run", "--config", "test/vitest.config.ts", tests)).toThrow(
    "No permission for analytics",
  );
  record(tests);
  expect(readFileSync(grantsIn(copy), "utf8")).toBe(recorded);
}, 3_600_000);

test("a failed test records nothing, and the command without tests explains itself", () => {
  const recorded = readFileSync(grantsIn(copy), "utf8");
  const failing =
    'import { expect, test } from "vitest";\ntest("fails", () => expect(1).toBe(2));\n';
  writeFileSync(join(copy.folder, "test/unit/failing.test.ts"), failing);
  expect(() => record("test/unit/failing.test.ts")).toThrow(
    "functions/grants.ts stays as it is, because tests failed.",
  );
  expect(readFileSync(grantsIn(copy), "utf8")).toBe(recorded);
  expect(() => record()).toThrow("Usage: npm run generate grants");
}, 3_600_000);
