// @module-tag slow
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogChange } from "#shared/queues/queue-messages.ts";
import { cardAddress, bySlug, cardText, cardSlugs } from "#shared/search/cards.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { Cards, PublishedMaterials, PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
import { crashing } from "./crashing.ts";
import { aWriter, materialOf, productOf } from "./index-writer.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
  for (const letter of "bcdefghijk") await plantProduct(fixture.table, { slug: `${letter}-chair` });
  await plantSofa(fixture.table);
  await plantSofa(fixture.table);
});
afterAll(() => fixture.stop());

const all: CatalogChange[] = [{ kind: "rebuild" }];
/** A writer that rebuilds in batches of three records. The shop has ten products, two sofas and what tests add. */
const inPortions = () => aWriter(fixture.table, 3);

/** The whole content of an index. */
function contentsOf({ index, documents }: Catalog) {
  const cards = (["product", "sofa"] as const).flatMap((kind) =>
    cardSlugs(index, kind).map((slug) => {
      const id = bySlug(index, kind, slug)?.id ?? "";
      return [`${kind}/${slug}`, JSON.parse(cardText(index, id) ?? "null")] as const;
    }),
  );
  return { cards: Object.fromEntries(cards), documents };
}

/** The content of an index that another writer builds in one delivery, without further messages. */
async function expected() {
  const writer = aWriter(fixture.table);
  expect(await writer.deliver([all])).toEqual([]);
  expect(writer.sent.size).toBe(0);
  return contentsOf(await writer.catalog());
}

async function aProduct(slug: string) {
  const planted = await plantProduct(fixture.table, { slug });
  return {
    ...planted,
    rename: (name: string) =>
      fixture.table.write(put(PublishedProducts, { ...planted.product, name })),
    leave: () => fixture.table.write(remove(PublishedProducts, planted.product)),
  };
}

describe("a rebuild of the catalog index in batches", () => {
  test("leaves the old index to readers until the new one is complete", async () => {
    const { deliver, continueRebuild, sent, catalog, target } = inPortions();
    await deliver([[{ kind: "product", slug: "e-chair" }]]);
    const before = await target.pointer();
    expect(await deliver([all])).toEqual([]);
    let portions = 1;
    for (; sent.size > 0; portions += 1) {
      expect(await target.pointer()).toEqual(before);
      await continueRebuild();
    }
    expect(portions).toBe(6);
    expect(contentsOf(await catalog())).toEqual(await expected());
  });

  // Crashes before a step need no test: they have the same effect as a crash after the previous step.
  test("produces the same index after a crash in any step", { tags: "slow" }, async () => {
    const whole = await expected();
    const gone = await aProduct("gone");
    let count = 1;
    for (let at = 0; at < count; at += 1) {
      const writer = aWriter(fixture.table, 6);
      await fixture.table.write(put(PublishedProducts, gone.product));
      await writer.deliver([[productOf(gone)]]);
      await gone.leave();
      const { over: steps, step, taken } = crashing(writer.deps, at);
      const { table } = fixture;
      // Cards are the only records that a rebuild stores and removes.
      const over = { ...steps, table: { ...table, writeMany: step(table.writeMany) } };
      while ((await writer.deliver([all], over)).length > 0);
      await writer.settle(over);
      expect([at, contentsOf(await writer.catalog())]).toEqual([at, whole]);
      expect(await writer.rebuilds.current()).toBeUndefined();
      expect(await fixture.table.get(Cards, gone.product)).toBeUndefined();
      if (at === 0) count = taken();
    }
    expect(count).toBeGreaterThan(12);
  });

  test("loses no change between two batches, and readers see each change immediately", async () => {
    const { table } = fixture;
    const [early, late, leaving, moving, back] = [
      await aProduct("a1"),
      await aProduct("z1"),
      await aProduct("a2"),
      await aProduct("z2"),
      await aProduct("a3"),
    ];
    const sofa = await plantSofa(table);
    const { deliver, continueRebuild, catalog } = inPortions();
    await deliver([all]);
    const moved = { ...moving.product, slug: "a0" };
    let added = await aProduct("never");
    const steps: { make(): Promise<unknown>; changes: CatalogChange[] }[] = [
      { make: () => early.rename("Early"), changes: [productOf(early)] },
      { make: () => late.rename("Late"), changes: [productOf(late)] },
      { make: leaving.leave, changes: [productOf(leaving)] },
      {
        make: () =>
          table.transact([
            remove(PublishedProducts, moving.product),
            put(PublishedProducts, moved),
          ]),
        changes: [productOf(moving), productOf({ product: moved })],
      },
      { make: back.leave, changes: [productOf(back)] },
      {
        make: () => table.write(put(PublishedMaterials, { ...sofa.material, name: "Sailcloth" })),
        changes: [materialOf(sofa)],
      },
      { make: () => table.write(put(PublishedProducts, back.product)), changes: [productOf(back)] },
      {
        make: async () => (added = await aProduct("a4")),
        changes: [{ kind: "product", slug: "a4" }],
      },
    ];
    let isUnderWay = true;
    for (const { make, changes } of steps) {
      await make();
      expect(await deliver([changes])).toEqual([]);
      // The index that readers use during the rebuild contains the change already.
      const { index } = await catalog();
      expect(bySlug(index, "product", "a4")?.id).toBe(
        changes.some((change) => "slug" in change && change.slug === "a4")
          ? added.product.id
          : undefined,
      );
      isUnderWay = await continueRebuild();
    }
    while (isUnderWay) isUnderWay = await continueRebuild();
    const contents = contentsOf(await catalog());
    expect(contents).toEqual(await expected());
    for (const name of ["Early", "Late", "Sailcloth"]) {
      expect(JSON.stringify(contents)).toContain(`"${name}"`);
    }
    expect(await table.get(Cards, leaving.product)).toBeUndefined();
    for (const { product } of [early, late, moving, back, added]) {
      expect((await table.get(Cards, product))?.id).toBe(product.id);
    }
  });

  test(
    "ends if another rebuild starts, and two concurrent rebuilds leave a correct index",
    { tags: "slow" },
    async () => {
      const { deliver, continueRebuild, settle, settleTwice, sent, catalog, rebuilds, logged } =
        inPortions();
      await deliver([all]);
      await continueRebuild();
      const [first] = [...sent.values()];
      await deliver([all]);
      const waiting = [...sent.keys()];
      expect(waiting).toHaveLength(2);
      // The first rebuild does not continue, however often its message is delivered.
      expect(await deliver([first ?? []])).toEqual([]);
      expect([...sent.keys()]).toEqual(waiting);
      await settle();
      expect(logged.filter((line) => line.includes("the rebuild has ended"))).toHaveLength(2);
      const whole = await expected();
      expect(contentsOf(await catalog())).toEqual(whole);
      // A late message of an ended rebuild has no effect.
      expect(await deliver([first ?? []])).toEqual([]);
      expect([sent.size, await rebuilds.current()]).toEqual([0, undefined]);

      await settleTwice(all);
      expect(contentsOf(await catalog())).toEqual(whole);
      expect(await rebuilds.current()).toBeUndefined();
    },
  );

  test("deletes its intermediate objects and those of unfinished rebuilds", async () => {
    const { deliver, continueRebuild, settle, objects, clock, target } = inPortions();
    await deliver([all]);
    await continueRebuild();
    await deliver([all]);
    await settle();
    clock.now += 121_000;
    await deliver([[{ kind: "product", slug: "e-chair" }]]);
    clock.now += 121_000;
    await deliver([[{ kind: "product", slug: "e-chair" }]]);
    clock.now += 121_000;
    await deliver([[{ kind: "product", slug: "e-chair" }]]);
    const { base_key, overlay_key } = (await target.pointer())!;
    const { objects: listed = [] } = (await target.superseded()) ?? {};
    expect(new Set(objects.keys())).toEqual(
      new Set([base_key, overlay_key, ...listed.map(({ key }) => key)]),
    );
    expect(listed).toHaveLength(1);
  });

  test("replaces the index of another release and includes concurrent changes", async () => {
    const early = await aProduct("a9");
    const { objects, deliver, settle, sent, catalog } = inPortions();
    await deliver([[{ kind: "product", slug: "e-chair" }]]);
    for (const key of objects.keys()) objects.set(key, gzipSync('{"format":99}'));
    expect(await deliver([[{ kind: "product", slug: "f-chair" }]])).toEqual([]);
    expect(sent.size).toBe(1);
    await early.rename("Edited");
    expect(await deliver([[productOf(early)]])).toEqual([]);
    expect(sent.size).toBe(1);
    await settle();
    expect(contentsOf(await catalog())).toEqual(await expected());
  });

  test("keeps a card whose record moved to a slug that the rebuild has already passed", async () => {
    const moving = await aProduct("z9");
    const { deliver, settle, catalog } = inPortions();
    await deliver([[productOf(moving)]]);
    const moved = { ...moving.product, slug: "a00" };
    await fixture.table.transact([
      remove(PublishedProducts, moving.product),
      put(PublishedProducts, moved),
    ]);
    await deliver([all]);
    await settle();
    expect(cardAddress((await catalog()).index, moved.id)?.slug).toBe("a00");
    expect((await fixture.table.get(Cards, moved))?.slug).toBe("a00");
  });

  test("contains a record of the previous index that the eventually consistent table index does not list yet", async () => {
    const fresh = await aProduct("fresh");
    const { deliver, settle, catalog } = inPortions();
    await deliver([[productOf(fresh)]]);
    const { table } = fixture;
    const isFresh = (record: object) => "slug" in record && record.slug === "fresh";
    const page: Table["page"] = async (of, range, options) => {
      const found = await table.page(of, range, options);
      return { ...found, records: found.records.filter((record) => !isFresh(record as object)) };
    };
    const lagging = { ...table, page };
    await deliver([all], { table: lagging });
    await settle({ table: lagging });
    expect(cardAddress((await catalog()).index, fresh.product.id)?.slug).toBe("fresh");
    expect((await fixture.table.get(Cards, fresh.product))?.slug).toBe("fresh");
  });

  test("ends after an hour without progress and then no longer delays changes", async () => {
    const { deliver, continueRebuild, sent, clock, rebuilds, target } = inPortions();
    await deliver([[{ kind: "product", slug: "e-chair" }]]);
    await deliver([all]);
    const [before, seen] = [await rebuilds.current(), await target.pointer()];
    clock.now += 61 * 60_000;
    expect(await deliver([[{ kind: "product", slug: "f-chair" }]])).toEqual([]);
    await continueRebuild();
    expect([await rebuilds.current(), sent.size]).toEqual([before, 0]);
    expect((await target.pointer())?.base_key).toBe(seen?.base_key);
  });
});
