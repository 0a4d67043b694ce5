import { openSync, readSync, closeSync } from "node:fs";
import { expect } from "vitest";

const kinds = new Map<string, boolean>();

/**
 * Whether the current test file uses the emulator of DynamoDB. All others use a table in memory, which the conformance
 * tests compare with the emulator. A file says so in its first lines: `// @module-tag emulator`. All files use it with
 * `TABLE=emulator`, and another DynamoDB where `DYNAMODB_ENDPOINT` is set.
 */
export function usesEmulator(): boolean {
  const { TABLE, DYNAMODB_ENDPOINT } = process.env;
  if (TABLE === "emulator" || DYNAMODB_ENDPOINT !== undefined) return true;
  const { testPath } = expect.getState();
  if (testPath === undefined) return true;
  const known = kinds.get(testPath) ?? firstLinesOf(testPath).includes("@module-tag emulator");
  kinds.set(testPath, known);
  return known;
}

function firstLinesOf(file: string): string {
  const bytes = Buffer.alloc(200);
  const opened = openSync(file, "r");
  try {
    return bytes.toString("utf8", 0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
}
