import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databaseFile, plantedTable, startsFromCopy } from "#infra/local/planting/planted-shop.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "planted-shop-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe("a stack starts from a copy of the planted shop", () => {
  test("if it keeps no data, or in a directory without a table", () => {
    expect(startsFromCopy({})).toBe(true);
    expect(startsFromCopy({ tableName: plantedTable, dataDir })).toBe(true);
  });

  test("but never over the table that a directory has", () => {
    writeFileSync(join(dataDir, databaseFile), "");
    expect(startsFromCopy({ dataDir })).toBe(false);
  });

  test.each([
    ["another DynamoDB", { dynamoDbEndpoint: "http://127.0.0.1:8000" }],
    ["another table", { tableName: "mine" }],
    ["other keys for secrets", { environment: { SETTINGS_KEYS: "{}" } }],
  ])("but not with %s", (_name, options) => {
    expect(startsFromCopy(options)).toBe(false);
  });
});
