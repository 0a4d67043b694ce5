import { afterAll, beforeAll, expect, test } from "vitest";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

const aRebuild = (id: string, version: number) => ({
  id,
  version,
  base_key: `${id}-${version}`,
  overlay_key: null,
  begun_at: 0,
  superseded: [],
});
const nothing = { objects: [] };

test("an index rebuild advances only from the version that was read, and replaces index and pointer together or not at all", async () => {
  const [rebuilds, view] = [
    openIndexRebuilds(fixture.table, "catalog"),
    openIndexPointer(fixture.table, "catalog"),
  ];
  await rebuilds.keep();
  const [first, second, other] = [aRebuild("one", 1), aRebuild("one", 2), aRebuild("two", 2)];
  expect(await rebuilds.replace(first, undefined)).toBe(true);
  expect(await rebuilds.replace(second, undefined)).toBe(false);
  expect(await rebuilds.replace(second, first)).toBe(true);
  expect(await rebuilds.replace(second, first)).toBe(false);
  expect(await rebuilds.replace(aRebuild("two", 3), other)).toBe(false);

  const next = { version: 1, base_key: "one-2", overlay_key: null };
  for (const made of [first, other]) {
    expect(await rebuilds.adopt(next, nothing, undefined, made)).toBe(false);
  }
  expect(await rebuilds.adopt({ ...next, version: 6 }, nothing, 5, second)).toBe(false);
  expect([await view.pointer(), await rebuilds.current()]).toEqual([undefined, second]);
  expect(await rebuilds.adopt(next, nothing, undefined, second)).toBe(true);
  expect([await view.pointer(), await rebuilds.current()]).toEqual([next, undefined]);
  expect(await rebuilds.replace(aRebuild("one", 3), second)).toBe(false);
});
