// @module-tag slow
import { gzipSync } from "node:zlib";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StaffChange } from "#shared/queues/queue-messages.ts";
import { cardText, idsOf } from "#shared/search/cards.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { newStock, usualTerms } from "#shared/domain/catalog/stock.ts";
import { Materials, Products, Sofas, Stocks } from "#shared/storage/catalog/catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { aMaterial, aProduct, aSofa, aVariant } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
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
/** A writer that rebuilds in batches. The shop has eight products with a SKU each, a sofa and a material. */
const inPortions = (size = 3) => aStaffWriter(fixture.table, size);

/** A draft with a unique SKU. */
async function aDraft(table: Table) {
  const sku = `SKU-${randomUUID().toUpperCase()}`;
  const id = newId("prd", noon);
  const variant = aVariant({ id: newId("var", noon), sku });
  const product = aProduct({ id, slug: sku.toLowerCase(), variants: [variant] });
  const owner = { kind: "product", id, slug: product.slug } as const;
  await table.transact([
    put(Products, { ...product, status: "draft" }),
    put(Stocks, newStock(variant.id, owner, usualTerms, noon)),
  ]);
  return {
    id,
    change: { kind: "product", id } satisfies StaffChange,
    stock: { kind: "stock", id: variant.id } satisfies StaffChange,
    rename: (name: string) => table.write(put(Products, { ...product, name })),
    leave: () => table.transact([remove(Products, { id }), remove(Stocks, variant)]),
    /** Removes the variant from the product. */
    drop: () =>
      table.transact([put(Products, { ...product, variants: [] }), remove(Stocks, variant)]),
  };
}

/** The whole content of an index. */
function contentsOf({ index }: Catalog) {
  const ids = ["product", "sofa", "material", "stock"].flatMap((kind) => idsOf(index, kind));
  return Object.fromEntries(ids.map((id) => [id, JSON.parse(cardText(index, id) ?? "null")]));
}

/** The content of an index that another writer builds in one delivery, without further messages. */
async function expected() {
  const writer = aStaffWriter(fixture.table);
  expect(await writer.deliver([all])).toEqual([]);
  expect(writer.sent.size).toBe(0);
  return contentsOf(await writer.catalog());
}

describe("a rebuild of the staff index", () => {
  test("contains drafts and their stock, and leaves the old index to readers until the new one is complete", async () => {
    const { deliver, continueRebuild, sent, catalog, target } = inPortions();
    const draft = await aDraft(fixture.table);
    await deliver([[draft.change]]);
    const before = await target.pointer();
    expect(await deliver([all])).toEqual([]);
    let portions = 1;
    for (; sent.size > 0; portions += 1) {
      expect(await target.pointer()).toEqual(before);
      await continueRebuild();
    }
    expect(portions).toBeGreaterThan(3);
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    expect(Object.keys(contents)).toEqual(expect.arrayContaining([draft.id, draft.stock.id]));
    expect(Object.keys(contents).length).toBeGreaterThan(18);
  });

  test("produces the same index after a crash in any step", { tags: "slow" }, async () => {
    const gone = await aDraft(fixture.table);
    await gone.leave();
    const whole = await expected();
    let count = 1;
    for (let at = 0; at < count; at += 1) {
      const writer = inPortions(6);
      await writer.deliver([[(await aDraftThatLeft(writer.deliver)).change]]);
      const { over, taken } = crashing(writer.deps, at);
      while ((await writer.deliver([all], over)).length > 0);
      await writer.settle(over);
      expect([at, contentsOf(await writer.catalog())]).toEqual([at, whole]);
      expect(await writer.rebuilds.current()).toBeUndefined();
      if (at === 0) count = taken();
    }
    expect(count).toBeGreaterThan(6);
  });

  /** A deleted draft that the index still contains. */
  async function aDraftThatLeft(deliver: (messages: StaffChange[][]) => Promise<unknown>) {
    const draft = await aDraft(fixture.table);
    await deliver([[draft.change]]);
    await draft.leave();
    return draft;
  }

  test("loses no change, creation or deletion between two batches", async () => {
    const [early, late] = [await aDraft(fixture.table), await aDraft(fixture.table)];
    const [leaving, dropping] = [await aDraft(fixture.table), await aDraft(fixture.table)];
    const { deliver, continueRebuild, catalog } = inPortions();
    await deliver([all]);
    const steps: { make(): Promise<unknown>; changes: StaffChange[] }[] = [
      { make: () => early.rename("Early"), changes: [early.change] },
      { make: leaving.leave, changes: [leaving.change, leaving.stock] },
      { make: dropping.drop, changes: [dropping.change, dropping.stock] },
      { make: () => late.rename("Late"), changes: [late.change] },
    ];
    let isUnderWay = true;
    for (const { make, changes } of steps) {
      await make();
      expect(await deliver([changes])).toEqual([]);
      isUnderWay = await continueRebuild();
    }
    const fresh = await aDraft(fixture.table);
    await deliver([[fresh.change]]);
    expect(idsOf((await catalog()).index, "product")).toContain(fresh.id);
    while (isUnderWay) isUnderWay = await continueRebuild();
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    expect([contents[early.id]?.name, contents[late.id]?.name]).toEqual(["Early", "Late"]);
    expect(contents[leaving.id]).toBeUndefined();
    expect(contents[leaving.stock.id]).toBeUndefined();
    expect([contents[dropping.id]?.skus, contents[dropping.stock.id]]).toEqual([[], undefined]);
  });

  test("ends if another rebuild starts, and two concurrent rebuilds leave a correct index", async () => {
    const { deliver, continueRebuild, settle, settleTwice, sent, catalog, rebuilds } =
      inPortions(6);
    await deliver([all]);
    await continueRebuild();
    const [first] = [...sent.values()];
    await deliver([all]);
    expect(await deliver([first ?? []])).toEqual([]);
    await settle();
    const whole = await expected();
    expect(contentsOf(await catalog())).toEqual(whole);
    expect(await deliver([first ?? []])).toEqual([]);
    expect([sent.size, await rebuilds.current()]).toEqual([0, undefined]);

    await settleTwice(all);
    expect(contentsOf(await catalog())).toEqual(whole);
  });

  test("replaces an unreadable index", async () => {
    const draft = await aDraft(fixture.table);
    const { objects, deliver, settle, catalog } = inPortions();
    await deliver([[draft.change]]);
    for (const key of objects.keys()) objects.set(key, gzipSync('{"format":99}'));
    expect(await deliver([[draft.change]])).toEqual([]);
    await settle();
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    expect(contents[draft.stock.id]).toBeDefined();
  });

  test("checks in batches the records that only the previous index contains", async () => {
    const { deliver, settle, catalog } = inPortions(2);
    const kept = [await aDraft(fixture.table), await aDraft(fixture.table)];
    const unlisted = await Promise.all([1, 2, 3].map(() => aDraft(fixture.table)));
    const drafts = [...kept, ...unlisted];
    await deliver([drafts.map(({ change }) => change)]);
    // These products have no variants now, so only the previous index contains their stock.
    for (const { id } of unlisted) {
      const product = await fixture.table.get(Products, { id });
      await fixture.table.write(put(Products, { ...product!, variants: [] }));
    }
    await deliver([all]);
    await settle();
    const ids = idsOf((await catalog()).index, "stock");
    expect(drafts.map(({ stock }) => ids.includes(stock.id))).toEqual([
      ...kept.map(() => true),
      ...unlisted.map(() => false),
    ]);
    for (const draft of unlisted) await draft.leave();
  });
});
