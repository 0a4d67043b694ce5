import { afterAll, beforeAll, expect, test } from "vitest";
import { onChangeMarketing } from "#functions/on-change/queue-consumers.ts";
import type { MarketingChange } from "#shared/queues/queue-messages.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { PriceWatches } from "#shared/storage/marketing/product-alerts.ts";
import { at } from "#shared/storage/reads.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { put } from "#shared/storage/writes.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { aProduct, aVariant } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

/** The operations of the consumer while it processes changes in one message. */
async function operationsFor(changes: readonly MarketingChange[]): Promise<Record<string, number>> {
  const { table } = fixture;
  const deps = aShop<Parameters<typeof onChangeMarketing>[1]>({
    table,
    settings: openGroups(table, ["checkout"]),
    randomBytes: (count) => Buffer.alloc(count),
    log: silentLog,
    now: () => noon,
  });
  const { result, calls } = await fixture.proxy.record(() =>
    onChangeMarketing({ Records: [aMessage({ changes })] }, deps),
  );
  expect(result).toEqual({ batchItemFailures: [] });
  const byOperation = Map.groupBy(calls, ({ operation }) => operation);
  return Object.fromEntries(Array.from(byOperation, ([name, { length }]) => [name, length]));
}

test("products that are published together are read in one request, and each is checked once for alerts of each kind", async () => {
  const products = Array.from({ length: 20 }, (_, index) =>
    aProduct({
      id: newId("prd", noon),
      status: "published",
      slug: `together-${index}`,
      variants: [aVariant({ sku: `TOGETHER-${index}` })],
    }),
  );
  await fixture.table.writeMany(products.map((product) => put(Products, product)));
  const changes = products.flatMap(({ id }): MarketingChange[] => [
    { kind: "stock", id },
    { kind: "price", id },
  ]);
  expect(await operationsFor(changes)).toEqual({
    BatchGetItem: 1,
    TransactWriteItems: 20,
    Query: 40,
  });
  const { watches } = await fixture.table.getMany({
    watches: products.map(({ id }) => at(PriceWatches, { product_id: id })),
  });
  expect(watches.map((watch) => watch?.product_version)).toEqual(
    products.map(({ version }) => version),
  );
  expect(await operationsFor(changes)).toEqual({ BatchGetItem: 1, Query: 20 });
});
