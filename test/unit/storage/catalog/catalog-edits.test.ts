import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireCategoriesVersion, putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import { CategoryTree, CategoryVersion } from "#shared/storage/catalog/catalog.ts";
import { Refused, put, remove } from "#shared/storage/writes.ts";
import { aCategory } from "#test/support/shop/builders.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());
beforeEach(() =>
  shop.table.transact([CategoryTree, CategoryVersion].map((entity) => remove(entity, {}))),
);

const categories = [aCategory()];
const save = (version: number) => shop.table.transact(putCategories(categories, version));
const check = (version: number) => shop.table.transact([requireCategoriesVersion(version)]);

test("a transaction that depends on categories succeeds only if they are unchanged since they were read", async () => {
  await save(0);
  await check(1);
  await save(1);
  await expect(check(1)).rejects.toThrow(Refused);
  await check(2);
});

test("one of two concurrent category edits is refused, and only the other increments the version", async () => {
  await save(0);
  const both = await Promise.allSettled([save(1), save(1)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await check(2);
});

test("categories that were stored without a separate version row have a valid version until they are edited", async () => {
  await shop.table.write(put(CategoryTree, { categories, version: 7 }));
  await check(7);
  await save(7);
  await expect(check(7)).rejects.toThrow(Refused);
  await check(8);
});
