import { gzipSync } from "node:zlib";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StaffChange } from "#functions/on-change/staff-change.ts";
import { cardText, idsOf } from "#shared/search/cards.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { newStock, usualTerms } from "#shared/domain/catalog/stock.ts";
import {
  DroppedSkus,
  Materials,
  Products,
  Sofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { aMaterial, aProduct, aSofa, aVariant } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/test-table.ts";
import { crashing } from "./crashing.ts";
import { aStaffWriter } from "./index-writer.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
  for (let count = 0; count < 8; count += 1) await aDraft(fixture.table);
  await fixture.table.transact([
    put(Sofas, aSofa({ id: newId("sofa", noon) })),
    put(Materials, aMaterial({ id: newId("mat", noon) })),
  ]);
});
afterAll(() => fixture.stop());

const all: StaffChange[] = [{ kind: "rebuild" }];
/** Eight products with a SKU each, a sofa and a material, and what tests add. */
const inPortions = (size = 3) => aStaffWriter(fixture.table, size);

/** A draft of one SKU, unlike any other. */
async function aDraft(table: Table) {
  const sku = `SKU-${randomUUID().toUpperCase()}`;
  const id = newId("prd", noon);
  const product = aProduct({ id, slug: sku.toLowerCase(), variants: [aVariant({ sku })] });
  const variant_id = product.variants[0]?.id ?? null;
  const owner = { kind: "product", id, slug: product.slug, variant_id } as const;
  await table.transact([
    put(Products, { ...product, status: "draft" }),
    put(Stocks, newStock(sku, owner, usualTerms, noon)),
  ]);
  return {
    id,
    sku,
    change: { kind: "product", id } satisfies StaffChange,
    stock: { kind: "stock", sku } satisfies StaffChange,
    rename: (name: string) => table.write(put(Products, { ...product, name })),
    leave: () => table.transact([remove(Products, { id }), remove(Stocks, { sku })]),
    /** The product names its SKU no more, of which there are units still. */
    drop: () =>
      table.transact([put(Products, { ...product, variants: [] }), put(DroppedSkus, { sku })]),
  };
}

/** All that a view holds. */
function contentsOf({ index }: Catalog) {
  const ids = ["product", "sofa", "material", "stock"].flatMap((kind) => idsOf(index, kind));
  return Object.fromEntries(ids.map((id) => [id, JSON.parse(cardText(index, id) ?? "null")]));
}

/** What a view holds that another writer makes in one go. */
async function expected() {
  const writer = aStaffWriter(fixture.table);
  expect(await writer.tell([all])).toEqual([]);
  expect(writer.sent.size).toBe(0);
  return contentsOf(await writer.catalog());
}

describe("a rebuild of the staff index", () => {
  test("contains drafts and their stock, and keeps the old index until it is complete", async () => {
    const { tell, continueRebuild, sent, catalog, target } = inPortions();
    const draft = await aDraft(fixture.table);
    await tell([[draft.change]]);
    const before = await target.pointer();
    expect(await tell([all])).toEqual([]);
    let portions = 1;
    for (; sent.size > 0; portions += 1) {
      expect(await target.pointer()).toEqual(before);
      await continueRebuild();
    }
    expect(portions).toBeGreaterThan(3);
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    expect(Object.keys(contents)).toEqual(expect.arrayContaining([draft.id, draft.sku]));
    expect(Object.keys(contents).length).toBeGreaterThan(18);
  });

  test("produces the same index after a crash in any step", async () => {
    const gone = await aDraft(fixture.table);
    await gone.leave();
    const whole = await expected();
    let count = 1;
    for (let at = 0; at < count; at += 1) {
      const writer = inPortions(6);
      await writer.tell([[(await aDraftThatLeft(writer.tell)).change]]);
      const { over, taken } = crashing(writer.deps, at);
      while ((await writer.tell([all], over)).length > 0);
      await writer.settle(over);
      expect([at, contentsOf(await writer.catalog())]).toEqual([at, whole]);
      expect(await writer.rebuilds.current()).toBeUndefined();
      if (at === 0) count = taken();
    }
    expect(count).toBeGreaterThan(6);
  });

  /** The view shows it still. */
  async function aDraftThatLeft(tell: (messages: StaffChange[][]) => Promise<unknown>) {
    const draft = await aDraft(fixture.table);
    await tell([[draft.change]]);
    await draft.leave();
    return draft;
  }

  test("loses no change, creation or deletion between two batches", async () => {
    const [early, late] = [await aDraft(fixture.table), await aDraft(fixture.table)];
    const [leaving, dropping] = [await aDraft(fixture.table), await aDraft(fixture.table)];
    const { tell, continueRebuild, catalog } = inPortions();
    await tell([all]);
    const steps: { make(): Promise<unknown>; tells: StaffChange[] }[] = [
      { make: () => early.rename("Early"), tells: [early.change] },
      { make: leaving.leave, tells: [leaving.change, leaving.stock] },
      { make: dropping.drop, tells: [dropping.change] },
      { make: () => late.rename("Late"), tells: [late.change] },
    ];
    let isUnderWay = true;
    for (const { make, tells } of steps) {
      await make();
      expect(await tell([tells])).toEqual([]);
      isUnderWay = await continueRebuild();
    }
    const fresh = await aDraft(fixture.table);
    await tell([[fresh.change]]);
    expect(idsOf((await catalog()).index, "product")).toContain(fresh.id);
    while (isUnderWay) isUnderWay = await continueRebuild();
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    expect([contents[early.id]?.name, contents[late.id]?.name]).toEqual(["Early", "Late"]);
    expect(contents[leaving.id]).toBeUndefined();
    expect(contents[leaving.sku]).toBeUndefined();
    expect(contents[dropping.sku]).toMatchObject({ kind: "stock", variant: null });
  });

  test("ends when another starts, and two concurrent ones are harmless", async () => {
    const { tell, continueRebuild, settle, settleTwice, sent, catalog, rebuilds } = inPortions(6);
    await tell([all]);
    await continueRebuild();
    const [first] = [...sent.values()];
    await tell([all]);
    expect(await tell([first ?? []])).toEqual([]);
    await settle();
    const whole = await expected();
    expect(contentsOf(await catalog())).toEqual(whole);
    expect(await tell([first ?? []])).toEqual([]);
    expect([sent.size, await rebuilds.current()]).toEqual([0, undefined]);

    await settleTwice(all);
    expect(contentsOf(await catalog())).toEqual(whole);
  });

  test("replaces an unreadable index including dropped SKUs", async () => {
    const draft = await aDraft(fixture.table);
    await draft.drop();
    const { objects, tell, settle, catalog } = inPortions();
    await tell([[draft.change]]);
    for (const key of objects.keys()) objects.set(key, gzipSync('{"format":99}'));
    expect(await tell([[draft.change]])).toEqual([]);
    await settle();
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    expect(contents[draft.sku]).toBeDefined();
  });

  test("checks in batches the records that only the previous index has", async () => {
    const { tell, settle, catalog } = inPortions(2);
    const kept = [await aDraft(fixture.table), await aDraft(fixture.table)];
    const unlisted = await Promise.all([1, 2, 3].map(() => aDraft(fixture.table)));
    const drafts = [...kept, ...unlisted];
    await tell([drafts.map(({ change }) => change)]);
    // Rows of stock that no product names and no list either.
    for (const { id } of unlisted) {
      const product = await fixture.table.get(Products, { id });
      await fixture.table.write(put(Products, { ...product!, variants: [] }));
    }
    await tell([all]);
    await settle();
    expect(idsOf((await catalog()).index, "stock")).toEqual(
      expect.arrayContaining(drafts.map(({ sku }) => sku)),
    );
    for (const draft of unlisted) await draft.leave();
  });
});
