import { describe, expect, test, vi } from "vitest";
import { byId, bySlug, cardText, countsOf } from "#shared/search/cards.ts";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { openIndexReader } from "#shared/search/index-reader.ts";
import { updateIndex } from "#shared/search/catalog-writer.ts";
import { neighbours, relatedTo } from "#shared/search/related.ts";
import { segmentOf } from "#shared/search/segment.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { anEntry } from "../catalog-index/entries.ts";
import { memoryTarget } from "../catalog-index/memory-target.ts";

function clock() {
  let time = 1_000_000;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

async function aStoredIndex() {
  const stored = memoryTarget();
  await updateIndex(stored.target, change("a"));
  stored.reads.pointer = 0;
  const time = clock();
  const reader = openIndexReader({ ...stored.target, now: time.now });
  return { ...stored, ...time, reader };
}

const change = (id: string) => async () => [{ type: "upsert" as const, entry: anEntry(id) }];

describe("the catalog index's reader", () => {
  test("loads once for concurrent queries", async () => {
    const { reader, reads } = await aStoredIndex();
    const [one, two] = await Promise.all([reader.current(), reader.current()]);
    expect(one).toBe(two);
    expect(reads).toMatchObject({ pointer: 1, objects: { length: 1 } });
  });

  test("reads nothing for two seconds, then only the pointer", async () => {
    const { reader, reads, pass } = await aStoredIndex();
    const first = await reader.current();
    pass(2_000);
    expect(await reader.current()).toBe(first);
    expect(reads.pointer).toBe(1);
    pass(1);
    expect(await Promise.all([reader.current(), reader.current()])).toEqual([first, first]);
    expect(reads).toMatchObject({ pointer: 2, objects: { length: 1 } });
  });

  test("returns a change in the response that detects it, and reads only the overlay", async () => {
    const { reader, target, reads, pass } = await aStoredIndex();
    await reader.current();
    const pointer = await updateIndex(target, change("b"));
    reads.objects.length = 0;
    pass(2_001);
    const { index } = await reader.current();
    expect(byId(index, "b")).toBeDefined();
    expect(reads.objects).toEqual([pointer?.overlay_key]);
  });

  test.each(["pointer", "object"] as const)(
    "keeps answering when the %s cannot be read after a load, and logs each failure once",
    async (part) => {
      const { target, now, pass, logged } = await aStoredIndex();
      const source = { ...target, now };
      const reader = openIndexReader({
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
      expect(logged).toEqual(["Catalog index could not be read"]);
      Object.assign(source, target);
      pass(2_001);
      expect(byId((await reader.current()).index, "b")).toBeDefined();
    },
  );

  test("is unavailable if nothing was ever read, and recovers at the next query", async () => {
    const { target, now } = await aStoredIndex();
    let away = true;
    const pointer = () => (away ? Promise.reject(new Error("away")) : target.pointer());
    const reader = openIndexReader({ ...target, pointer, now });
    await expect(reader.current()).rejects.toThrow(Unavailable);
    away = false;
    expect(byId((await reader.current()).index, "a")).toBeDefined();
  });

  test("does not block callers that can do without it, and loads for the next", async () => {
    const { target, now, logged } = await aStoredIndex();
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const reader = openIndexReader({
      ...target,
      now,
      pointer: () => asked.then(() => target.pointer()),
    });
    expect(await reader.ifLoaded()).toBeUndefined();
    answer?.();
    await reader.current();
    expect(byId((await reader.ifLoaded())!.index, "a")).toBeDefined();
    expect(logged).toEqual([]);
  });

  test("is loaded for the second caller that can do without it, not for the first", async () => {
    const { target, now } = await aStoredIndex();
    const pointer = vi.fn(target.pointer);
    const reader = openIndexReader({ ...target, now, pointer });
    await reader.ifLoaded();
    expect(pointer).not.toHaveBeenCalled();
    await reader.ifLoaded();
    expect(pointer).toHaveBeenCalledTimes(1);
    await vi.waitFor(async () => expect(await reader.ifLoaded()).toBeDefined());
  });

  test("does not fail callers that can do without it", async () => {
    const { target, now, logged } = await aStoredIndex();
    const pointer = () => Promise.reject(new Error("away"));
    const reader = openIndexReader({ ...target, now, pointer });
    expect(await reader.ifLoaded()).toBeUndefined();
    expect(await reader.ifLoaded()).toBeUndefined();
    await expect(reader.current()).rejects.toThrow(Unavailable);
    expect(logged).toEqual(["Catalog index could not be read"]);
  });

  test("is an empty catalog before the first write", async () => {
    const { target } = memoryTarget();
    const { index, documents } = await openIndexReader({ ...target, now: () => 0 }).current();
    expect([index.size, documents]).toEqual([0, {}]);
  });
});

describe("single cards", () => {
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

  test("are found by kind and slug, with their stock rows", () => {
    expect(bySlug(catalogIndex(base, segmentOf([])), "product", "oslo")).toEqual({
      id: "a",
      kind: "product",
      slug: "oslo",
      skus: ["OSLO-1", "OSLO-2"],
    });
    expect(bySlug(index, "sofa", "oslo")?.id).toBe("b");
  });

  test("are found by their latest slug only, and not once removed", () => {
    expect(bySlug(index, "product", "oslo")).toBeUndefined();
    expect(bySlug(index, "product", "oslo-new")?.skus).toEqual(["OSLO-3"]);
    expect([byId(index, "c"), cardText(index, "c")]).toEqual([undefined, undefined]);
    expect(cardText(index, "a")).toContain('"slug":"oslo-new"');
  });

  test("are counted if they are published", () => {
    expect(countsOf(index, "room")).toEqual(new Map([["bedroom", 1]]));
    expect(countsOf(index, "room", "product")).toEqual(new Map());
  });
});

describe("related items", () => {
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

  test("are staff's picks in order and popular in-stock items of each value, within the limit", () => {
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

  test("count sofas as available, because they are made to order", () => {
    const sofa = like("sofa", { card: { kind: "sofa" }, in_stock: false });
    const index = catalogIndex(segmentOf([...list, sofa]), segmentOf([]));
    expect(neighbours(index, "self")?.others.map(({ id }) => id)).toContain("sofa");
  });

  test("are returned as cards with their reason", () => {
    const related = relatedTo(catalogIndex(segmentOf(list), segmentOf([])), "self", 3);
    expect(related.map(({ id, name, reason }) => [id, name, reason])).toEqual([
      ["n199", "Chair n199", "same_category"],
      ["n198", "Chair n198", "same_category"],
      ["n197", "Chair n197", "same_category"],
    ]);
  });

  test("may be sold out if there is nothing else, and are empty for an unknown item", () => {
    const index = catalogIndex(segmentOf(list.slice(0, 3)), segmentOf([]));
    expect(neighbours(index, "self")?.others.map(({ id }) => id)).toEqual(["sold-out"]);
    expect(neighbours(index, "nobody")).toBeUndefined();
  });
});
