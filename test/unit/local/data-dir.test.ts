import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimDataDir } from "#infra/local/data-dir.ts";
import { stackOptions } from "#infra/local/stack-options.ts";

let parent: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "data-dir-"));
});
afterAll(() => rmSync(parent, { recursive: true }));

describe("the local stack's DATA_DIR", () => {
  test("is created if its parent exists, and its lock is removed when the stack stops", () => {
    const folder = join(parent, "new");
    claimDataDir(folder)();
    expect(readdirSync(folder)).toEqual([]);
    claimDataDir(folder)();
  });

  test("is refused with an explanation if it is a file or has no parent", () => {
    const file = join(parent, "file");
    writeFileSync(file, "");
    expect(() => claimDataDir(file)).toThrow(/^DATA_DIR=.*file cannot be used/);
    expect(() => claimDataDir(join(parent, "no", "parent"))).toThrow(/cannot be used/);
    expect(() => claimDataDir("/proc/nothing-can-be-made-here")).toThrow(/cannot be used/);
  });

  test("is locked by one stack at a time, and the lock of a stack that no longer runs is ignored", () => {
    const folder = join(parent, "shared");
    claimDataDir(folder)();
    writeFileSync(join(folder, "in-use-by"), String(process.ppid));
    expect(() => claimDataDir(folder)).toThrow(/another stack \(process \d+\)/);
    writeFileSync(join(folder, "in-use-by"), "2147483646");
    claimDataDir(folder)();
  });
});

test("a DynamoDB endpoint that is not a URL is refused with an explanation", () => {
  expect(() => stackOptions({ DYNAMODB_ENDPOINT: "foo" })).toThrow(/must be a URL/);
});
