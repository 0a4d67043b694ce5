import { beforeAll, expect, inject, test } from "vitest";
import { type ExportType, ExportType as Types } from "#shared/domain/export.ts";
import type { Product } from "#shared/domain/product.ts";
import { type Data, aProductBody } from "#test/support/catalog-desk.ts";
import { clientOf } from "#test/support/client.ts";
import { csvOf, exported, filesOf, jsonOf } from "#test/support/exports.ts";
import { worldOf } from "#test/support/people.ts";
import type { Problem } from "#test/support/problem.ts";
import { type StaffClient, staffClient } from "#test/support/staff-client.ts";

const baseUrl = inject("baseUrl");
const world = worldOf(inject("environment"));
let owner: StaffClient;
beforeAll(async () => {
  owner = await staffClient(baseUrl, world, "owner");
});

const parts = Types.options.filter((type) => type !== "full");

test.each(parts)("%s comes as JSON, with its records counted and its bytes summed", async (type) => {
  const { file, records } = await exported(owner, type);
  const json = jsonOf(file);
  expect(json).toMatchObject({ type, version: 1, exported_at: expect.any(String) });
  expect(json.records).toHaveLength(records);
  if (type !== "media") expect(records).toBeGreaterThan(0);
});

test.each(parts)("%s comes as CSV that spreadsheets know for UTF-8", async (type) => {
  const { file, records } = await exported(owner, type, "csv");
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const lines = csvOf(file);
  expect(lines.length).toBeGreaterThanOrEqual(records);
});

test("full is a zip of all others, and its manifest says what they are", async () => {
  const { file, records } = await exported(owner, "full");
  const files = filesOf(file);
  const manifest = JSON.parse(files.get("manifest.json")?.toString() ?? "{}");
  expect([...files.keys()].toSorted()).toEqual(
    [...parts.map((type) => `${type}.json`), "manifest.json"].toSorted(),
  );
  expect(manifest.files.map((each: { part: string }) => each.part)).toEqual(parts);
  for (const { name, bytes } of manifest.files) expect(files.get(name)?.byteLength).toBe(bytes);
});
