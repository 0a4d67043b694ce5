import { describe, expect, test } from "vitest";
import { cardAddress, bySlug, cardText, countsOf } from "#shared/search/cards.ts";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { openIndexReader } from "#shared/search/index-reader.ts";
import { updateIndex } from "#shared/search/catalog-writer.ts";
import { neighbours, relatedTo } from "#shared/search/related.ts";
import { segmentOf } from "#shared/search/segment.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { anEntry } from "../catalog-index/entries.ts";
import { memoryTarget, readerOf } from "../catalog-index/memory-target.ts";

const mediaBaseUrl = "https://media.example.com";

function clock() {
  let time = 1_000_000;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

async function aStoredIndex() {
  const stored = memoryTarget();
  await updateIndex(stored.target, change("a"));
  stored.reads.pointer = 0;
  const time = clock();
  const reader = readerOf({ mediaBaseUrl, ...stored.target, now: time.now });
  return { ...stored, ...time, reader };
}

const change = (id: string) => async () => [{ type: "upsert" as const, entry: anEntry(id) }];

describe("the catalog index reader", () => {
  test("loads the index once for concurrent queries", async () => {
    const { reader, reads } = await aStoredIndex();
    const [one, two] = await Promise.all([reader.current(), reader.current()]);
    expect(one).toBe(two);
    expect(reads).toMatchObject({ pointer: 1, objects: { length: 1 } });
  });

  test("reads nothing for two seconds after a check, and then only the pointer", async () => {
    const { reader, reads, pass } = await aStoredIndex();
    const first = await reader.current();
    pass(2_000);
    expect(await reader.current()).toBe(first);
    expect(reads.pointer).toBe(1);
    pass(1);
    expect(await Promise.all([reader.current(), reader.current()])).toEqual([first, first]);
    expect(reads).toMatchObject({ pointer: 2, objects: { length: 1 } });
  });

  test("returns a change with the first query after two seconds, and reads only the overlay", async () => {
    const { reader, target, reads, pass } = await aStoredIndex();
    await reader.current();
    const pointer = await updateIndex(target, change("b"));
    reads.objects.length = 0;
    pass(2_001);
    const { index } = await reader.current();
    expect(cardAddress(index, "b")).toBeDefined();
    expect(reads.objects).toEqual([pointer?.overlay_key]);
  });

  test.each(["pointer", "object"] as const)(
    "serves the loaded index if the %s cannot be read, and logs the failure once",
    async (part) => {
      const { target, now, pass, logged } = await aStoredIndex();
      const source = { ...target, now };
      const reader = readerOf({
        mediaBaseUrl,
        now,
        pointer: () => source.pointer(),
        object: (key) => source.object(key),
        log: source.log,
      });
      const before = await reader.current();
      await updateIndex(target, change("b"));
      Object.assign(source, { [part]: () => Promise.reject(new Error("away")) });
      pass(2_001);
      expect(await Promise.all([reader.current(), reader.current()])).toEqual([before, before]);
      expect(await reader.current()).toBe(before);
      expect(logged).toEqual(["Catalog index not read"]);
      Object.assign(source, target);
      pass(2_001);
      expect(cardAddress((await reader.current()).index, "b")).toBeDefined();
    },
  );

  test("throws Unavailable if the index was never read, and recovers at the next query", async () => {
    const { target, now } = await aStoredIndex();
    let away = true;
    const pointer = () => (away ? Promise.reject(new Error("away")) : target.pointer());
    const reader = readerOf({ mediaBaseUrl, ...target, pointer, now });
    await expect(reader.current()).rejects.toThrow(Unavailable);
    away = false;
    expect(cardAddress((await reader.current()).index, "a")).toBeDefined();
  });

  test("has a revision that changes with the index and is known without loading it", async () => {
    const { reader, reads, target, pass } = await aStoredIndex();
    const before = await reader.revision();
    expect([await reader.revision(), reader.loaded]).toEqual([before, undefined]);
    expect(reads).toMatchObject({ pointer: 1, objects: [] });
    const { version } = await reader.current();
    expect([version, reader.loaded?.version]).toEqual([1, 1]);
    await updateIndex(target, change("b"));
    pass(2_001);
    expect(await reader.revision()).not.toBe(before);
    expect(reader.loaded?.version).toBe(1);
    expect((await reader.current()).version).toBe(2);
    // The reader checked once in each of two periods of two seconds, and the writer read the pointer once.
    expect(reads.pointer).toBe(3);
  });

  test("has another revision after other public data has changed, without another read", async () => {
    const { target, now, pass, reads } = await aStoredIndex();
    let generation = 1;
    const state = async () => ({ generation, pointer: await target.pointer() });
    const reader = openIndexReader({ mediaBaseUrl, ...target, state, now });
    const before = await reader.revision();
    generation = 2;
    expect(await reader.revision()).toBe(before);
    pass(2_001);
    expect(await reader.revision()).not.toBe(before);
    expect(reads).toMatchObject({ pointer: 2, objects: [] });
  });

  test("has another revision after an object could not be read, so that no response from the old index stays cached", async () => {
    const { target, now, pass } = await aStoredIndex();
    let away = false;
    const object = (key: string) => (away ? Promise.reject(new Error("away")) : target.object(key));
    const reader = readerOf({ mediaBaseUrl, ...target, object, now });
    await reader.current();
    await updateIndex(target, change("b"));
    pass(2_001);
    away = true;
    const during = await reader.revision();
    expect((await reader.current()).version).toBe(1);
    away = false;
    pass(2_001);
    expect(await reader.revision()).not.toBe(during);
    expect((await reader.current()).version).toBe(2);
  });

  test("reads an object again at the next query if no index was ever loaded", async () => {
    const { target, now, logged } = await aStoredIndex();
    let away = true;
    const object = (key: string) => (away ? Promise.reject(new Error("away")) : target.object(key));
    const reader = readerOf({ mediaBaseUrl, ...target, object, now });
    await expect(reader.current()).rejects.toThrow(Unavailable);
    away = false;
    expect(cardAddress((await reader.current()).index, "a")).toBeDefined();
    expect(logged).toEqual(["Catalog index not read"]);
  });

  test("keeps the newer catalog if an older load ends after it", async () => {
    const { target, now, pass, reads } = await aStoredIndex();
    const released = Promise.withResolvers<void>();
    const slow: string[] = [];
    const object = async (key: string) => {
      if (slow.includes(key)) await released.promise;
      return target.object(key);
    };
    const reader = readerOf({ mediaBaseUrl, ...target, object, now });
    await reader.current();
    const older = await updateIndex(target, change("b"));
    slow.push(older!.overlay_key!);
    pass(2_001);
    const early = reader.current();
    await reader.revision();
    await updateIndex(target, change("c"));
    pass(2_001);
    expect((await reader.current()).version).toBe(3);
    released.resolve();
    expect((await early).version).toBe(3);
    expect(reader.loaded?.version).toBe(3);
    reads.objects.length = 0;
    pass(2_001);
    expect((await reader.current()).version).toBe(3);
    expect(reads.objects).toEqual([]);
  });

  test("loads a pointer of a lower version, as an index has after its table was restored", async () => {
    const { target, now, pass } = await aStoredIndex();
    await updateIndex(target, change("b"));
    const restored = await aStoredIndex();
    let source = target;
    const reader = readerOf({
      mediaBaseUrl,
      pointer: () => source.pointer(),
      object: (key) => source.object(key),
      log: target.log,
      now,
    });
    expect((await reader.current()).version).toBe(2);
    source = restored.target;
    pass(2_001);
    expect((await reader.current()).version).toBe(1);
  });

  test("returns an empty catalog before the first write", async () => {
    const { target } = memoryTarget();
    const { index, documents } = await readerOf({
      mediaBaseUrl,
      ...target,
      now: () => 0,
    }).current();
    expect([index.size, documents]).toEqual([0, {}]);
  });
});

describe("a single card of the catalog index", () => {
  const base = segmentOf([
    anEntry("a", {
      card: { slug: "oslo" },
      skus: ["OSLO-1", "OSLO-2"],
      facets: { room: ["bedroom"] },
    }),
    anEntry("b", { card: { slug: "oslo", kind: "sofa" }, facets: { room: ["bedroom"] } }),
    anEntry("c", { card: { slug: "gone" } }),
  ]);
  const overlay = segmentOf([anEntry("a", { card: { slug: "oslo-new" }, skus: ["OSLO-3"] })]);
  const index = catalogIndex(base, overlay, ["c"]);

  test("is found by kind and slug", () => {
    expect(bySlug(catalogIndex(base, segmentOf([])), "product", "oslo")).toEqual({
      id: "a",
      kind: "product",
      slug: "oslo",
    });
    expect(bySlug(index, "sofa", "oslo")?.id).toBe("b");
  });

  test("is found by its current slug only, and no longer after its removal", () => {
    expect(bySlug(index, "product", "oslo")).toBeUndefined();
    expect(bySlug(index, "product", "oslo-new")?.id).toBe("a");
    expect([cardAddress(index, "c"), cardText(index, "c")]).toEqual([undefined, undefined]);
    expect(cardText(index, "a")).toContain('"slug":"oslo-new"');
  });

  test("is included in the counts of its categories only while it is published", () => {
    expect(countsOf(index, "room")).toEqual(new Map([["bedroom", 1]]));
    expect(countsOf(index, "room", "product")).toEqual(new Map());
  });
});

describe("related items of the catalog index", () => {
  const like = (id: string, overrides: Parameters<typeof anEntry>[1]) =>
    anEntry(id, { facets: { category: ["chairs"], room: ["study"] }, ...overrides });
  const list = [
    like("self", { related_ids: ["picked", "self", "unknown", "picked"] }),
    anEntry("picked", { in_stock: false }),
    like("sold-out", { in_stock: false, popularity: 99 }),
    ...Array.from({ length: 200 }, (_, at) =>
      like(`n${at}`, { popularity: at, card: { price: at } }),
    ),
  ];

  test("are staff picks in their order, then popular in-stock items of each shared value, within the limit", () => {
    const found = neighbours(catalogIndex(segmentOf(list), segmentOf([])), "self", 4);
    expect(found?.picks.map(({ id }) => id)).toEqual(["picked"]);
    const ids = found?.others.map(({ id }) => id) ?? [];
    expect(ids.slice(0, 4)).toEqual(["n199", "n198", "n197", "n196"]);
    expect(ids).not.toContain("self");
    expect(ids).not.toContain("sold-out");
    expect(ids.length).toBeLessThanOrEqual(12);
    expect(found?.others[0]).toEqual({
      id: "n199",
      kind: "product",
      price: 199,
      popularity: 199,
      in_stock: true,
      category: ["chairs"],
      room: ["study"],
      style: [],
    });
  });

  test("include sofas, which count as in stock because they are made to order", () => {
    const sofa = like("sofa", { card: { kind: "sofa" }, in_stock: false });
    const index = catalogIndex(segmentOf([...list, sofa]), segmentOf([]));
    expect(neighbours(index, "self")?.others.map(({ id }) => id)).toContain("sofa");
  });

  test("are returned with the reason why they are related", () => {
    const related = relatedTo(catalogIndex(segmentOf(list), segmentOf([])), "self", 3);
    expect(related.map(({ id, name, reason }) => [id, name, reason])).toEqual([
      ["n199", "Chair n199", "same_category"],
      ["n198", "Chair n198", "same_category"],
      ["n197", "Chair n197", "same_category"],
    ]);
  });

  test("include out-of-stock items if there are no others, and are undefined for an unknown item", () => {
    const index = catalogIndex(segmentOf(list.slice(0, 3)), segmentOf([]));
    expect(neighbours(index, "self")?.others.map(({ id }) => id)).toEqual(["sold-out"]);
    expect(neighbours(index, "nobody")).toBeUndefined();
  });
});
