import { afterAll, beforeAll, expect, test } from "vitest";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import { sofaStorage } from "#shared/application/catalog/sofa-storage.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { aSofa } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

test("a SKU is stored with the kind of record that it belongs to, never with `product` by default", async () => {
  const { table } = fixture;
  const sofa = aSofa({ id: newId("sofa", noon), slug: "swatched", status: "draft" });
  const request = { sku: "SWATCHED-1", stock_id: "swatched", path: "sku" };
  const shelf = {
    ...sofaStorage,
    check: () => [],
    referencesOf: () => [],
    skus: { owner: "swatch" as const, skuRequests: [request], of: () => [request] },
  };
  const audit = { actor: { id: newId("stf", noon) }, requestId: "request", now: noon };
  await saveSellable(shelf, undefined, sofa, { table, audit });
  expect((await table.get(Stocks, { id: request.stock_id }))?.owner).toEqual({
    kind: "swatch",
    id: sofa.id,
    slug: "swatched",
  });
});
