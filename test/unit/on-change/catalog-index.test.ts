import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogChange } from "#shared/queues/queue-messages.ts";
import { cardAddress, cardSlugs } from "#shared/search/cards.ts";
import { materialsOf } from "#shared/search/documents.ts";
import { decodeOverlay } from "#shared/search/index-format.ts";
import { Cards, PublishedMaterials, PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, remove, update } from "#shared/storage/writes.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
import { materialOf, productOf, aWriter as writerOver } from "./index-writer.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

const aWriter = () => writerOver(fixture.table);

describe("the catalog index consumer", () => {
  test("loses no change if a read fails, because the change is retried", async () => {
    const { target, deliver, catalog } = aWriter();
    const [first, second] = [await plantSofa(fixture.table), await plantSofa(fixture.table)];
    expect(await deliver([[materialOf(first)]])).toEqual([]);
    for (const part of ["pointer", "object"] as const) {
      const failing = { ...target, [part]: () => Promise.reject(new Error("away")) };
      expect(await deliver([[materialOf(second)]], { target: failing })).toEqual([0]);
    }
    expect(await deliver([[materialOf(second)]])).toEqual([]);
    const codes = [...materialsOf((await catalog()).documents).keys()];
    expect(codes.toSorted()).toEqual([first.material.code, second.material.code].toSorted());
  });

  test("removes unpublished records from an index that another writer built", async () => {
    const { target, deliver, catalog } = aWriter();
    const product = await plantProduct(fixture.table);
    let raced = false;
    const racing = {
      ...target,
      async advance(...move: Parameters<typeof target.advance>) {
        if (!raced) {
          raced = true;
          await deliver([[productOf(product)]]);
          await fixture.table.write(remove(PublishedProducts, product.product));
        }
        return target.advance(...move);
      },
    };
    expect(await deliver([[productOf(product)]], { target: racing })).toEqual([]);
    expect(cardAddress((await catalog()).index, product.product.id)).toBeUndefined();
    expect(await fixture.table.get(Cards, product.product)).toBeUndefined();
  });

  test("processes all other changes if one always fails", async () => {
    const { deliver, catalog } = aWriter();
    const [good, bad, other] = [
      await plantProduct(fixture.table),
      await plantProduct(fixture.table),
      await plantProduct(fixture.table),
    ];
    await fixture.table.write(update(PublishedProducts, bad.product, { set: { variants: [] } }));
    const messages = [[productOf(good)], [productOf(bad)], [productOf(other)]];
    expect(await deliver(messages)).toEqual([1]);
    const { index } = await catalog();
    expect(cardSlugs(index, "product").toSorted()).toEqual(
      [good.product.slug, other.product.slug].toSorted(),
    );
    await fixture.table.write(remove(PublishedProducts, bad.product));
  });

  test("updates exactly the sofas that offer a changed material", async () => {
    const { target, objects, deliver } = aWriter();
    const [one, other] = [await plantSofa(fixture.table), await plantSofa(fixture.table)];
    const sofas = [one, other].map(({ sofa }): CatalogChange => ({
      kind: "sofa",
      slug: sofa.slug,
    }));
    await deliver([[...sofas, materialOf(one), materialOf(other)]]);
    await fixture.table.write(put(PublishedMaterials, { ...one.material, name: "Sailcloth" }));
    await deliver([[materialOf(one)]]);
    const overlay = decodeOverlay(objects.get((await target.pointer())?.overlay_key ?? "")!);
    expect(overlay.upserts.map(({ card }) => card.id)).toEqual([one.sofa.id]);
    const card = await fixture.table.get(Cards, one.sofa);
    expect(card?.swatches.map(({ label }) => label)).toEqual(["Sailcloth"]);
  });
});

describe("a rebuilt catalog index", () => {
  test("contains every published record, even if there was no index before", async () => {
    const { deliver, catalog } = aWriter();
    const planted = await Promise.all(
      Array.from({ length: 30 }, () => plantProduct(fixture.table)),
    );
    const { sofa, material } = await plantSofa(fixture.table);
    expect(await deliver([[{ kind: "rebuild" }]])).toEqual([]);
    const { index, documents } = await catalog();
    expect(cardSlugs(index, "product")).toEqual(
      expect.arrayContaining(planted.map(({ product }) => product.slug)),
    );
    expect(cardSlugs(index, "sofa")).toContain(sofa.slug);
    expect(materialsOf(documents).has(material.code)).toBe(true);
    expect((await fixture.table.get(Cards, sofa))?.slug).toBe(sofa.slug);
  });

  test("is read in portions of one size, even if a portion has records of two kinds", async () => {
    const { table } = fixture;
    for (let sofas = 0; sofas < 2; sofas++) await plantSofa(table);
    const whole = writerOver(table);
    await whole.deliver([[{ kind: "rebuild" }]]);
    const size = cardSlugs((await whole.catalog()).index, "product").length + 1;
    let read = 0;
    const counting: Table = {
      ...table,
      async page(of, range, options) {
        const page = await table.page(of, range, options);
        if (options?.limit) read += page.records.length;
        return page;
      },
    };
    await writerOver(table, size).deliver([[{ kind: "rebuild" }]], { table: counting });
    expect(read).toBe(size);
  });

  test("omits unpublished records and deletes their cards", async () => {
    const { deliver, catalog } = aWriter();
    const product = await plantProduct(fixture.table);
    await deliver([[productOf(product)]]);
    await fixture.table.write(remove(PublishedProducts, product.product));
    await deliver([[{ kind: "rebuild" }]]);
    expect(cardAddress((await catalog()).index, product.product.id)).toBeUndefined();
    expect(await fixture.table.get(Cards, product.product)).toBeUndefined();
  });

  test("replaces the index of another release at the first change", async () => {
    const { objects, deliver, catalog } = aWriter();
    const [before, after] = [await plantProduct(fixture.table), await plantProduct(fixture.table)];
    await deliver([[productOf(before)]]);
    for (const key of objects.keys()) objects.set(key, gzipSync('{"format":99}'));
    expect(await deliver([[productOf(after)]])).toEqual([]);
    expect(cardSlugs((await catalog()).index, "product")).toEqual(
      expect.arrayContaining([before.product.slug, after.product.slug]),
    );
  });
});
