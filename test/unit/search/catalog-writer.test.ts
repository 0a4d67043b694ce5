import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cardAddress } from "#shared/search/cards.ts";
import {
  maxOverlayChanges,
  rebuildIndex,
  updateIndex,
  withChanges,
  type IndexChange,
  type IndexTarget,
} from "#shared/search/catalog-writer.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { loadCatalog } from "#shared/search/load-catalog.ts";
import { UnreadableIndex } from "#shared/domain/listing/index-pointer.ts";
import { decodeOverlay, emptyOverlay } from "#shared/search/index-format.ts";
import { anEntry } from "../catalog-index/entries.ts";
import { memoryTarget } from "../catalog-index/memory-target.ts";

const upsert = (id: string, name = id): IndexChange => ({
  type: "upsert",
  entry: anEntry(id, { card: { name } }),
});

const update = (target: IndexTarget, changes: readonly IndexChange[]) =>
  updateIndex(target, async () => changes);

async function read(target: IndexTarget) {
  const { catalog } = await loadCatalog(target);
  const { index, documents } = catalog;
  const { cards } = catalogPage(index, { sort: "name", page: 1, per_page: 100 });
  return {
    names: cards.map((card) => (JSON.parse(card) as { name: string }).name),
    documents,
    index,
  };
}

describe("the catalog index writer", () => {
  test("writes a base object first and overlay objects afterwards", async () => {
    const { target } = memoryTarget();
    const first = await update(target, [upsert("a"), upsert("b")]);
    expect(first).toMatchObject({ version: 1, overlay_key: null });
    const second = await update(target, [
      upsert("b", "b again"),
      upsert("c"),
      { type: "remove", id: "a" },
    ]);
    expect(second).toMatchObject({ version: 2, base_key: first?.base_key });
    const third = await update(target, [{ type: "remove", id: "c" }]);
    expect(third).toMatchObject({ version: 3, base_key: first?.base_key });
    expect((await read(target)).names).toEqual(["b again"]);
  });

  test("writes nothing if there are no changes", async () => {
    const { target, objects } = memoryTarget();
    expect(await update(target, [])).toBeUndefined();
    expect(objects.size).toBe(0);
  });

  test("deletes superseded objects once no reader can use them", async () => {
    const { target, objects, clock } = memoryTarget();
    const first = await update(target, [upsert("a")]);
    const second = await update(target, [upsert("b")]);
    clock.now = 1_000;
    const third = await update(target, [upsert("c")]);
    expect(objects.has(second?.overlay_key ?? "")).toBe(true);
    clock.now = 122_000;
    const last = await update(target, [upsert("d")]);
    expect(new Set(objects.keys())).toEqual(
      new Set([first?.base_key, third?.overlay_key, last?.overlay_key]),
    );
    expect((await read(target)).names).toEqual(["a", "b", "c", "d"]);
  });

  test("continues if superseded objects cannot be deleted, and retries their deletion", async () => {
    const { target, objects, clock, logged } = memoryTarget();
    await update(target, [upsert("a")]);
    const second = await update(target, [upsert("b")]);
    await update(target, [upsert("c")]);
    clock.now = 121_000;
    const failing = { ...target, remove: () => Promise.reject(new Error("S3 is away")) };
    await update(failing, [upsert("d")]);
    expect((await read(target)).names).toEqual(["a", "b", "c", "d"]);
    expect(logged).toEqual(["Superseded index object not deleted"]);
    expect(objects.has(second?.overlay_key ?? "")).toBe(true);
    await update(target, [upsert("e")]);
    expect(objects.has(second?.overlay_key ?? "")).toBe(false);
  });

  test("keeps the pointer object small after many updates", async () => {
    const { target } = memoryTarget();
    for (let at = 0; at < 20; at += 1) await update(target, [upsert(`id${at}`)]);
    expect(JSON.stringify(await target.pointer()).length).toBeLessThan(200);
    expect((await target.superseded())?.objects).toHaveLength(18);
  });

  test("computes changes from the version of the catalog that they are applied to", async () => {
    const { target } = memoryTarget();
    const add = (id: string) =>
      updateIndex(target, async ({ documents }) => [
        { type: "document", name: "list", value: [...((documents["list"] ?? []) as string[]), id] },
      ]);
    await Promise.all(["a", "b", "c", "d"].map(add));
    const { documents } = await read(target);
    expect((documents["list"] as string[]).toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("writes nothing if it cannot read the stored index", async () => {
    const { target } = memoryTarget();
    await update(target, [upsert("a")]);
    for (const part of ["pointer", "object"]) {
      const failing = { ...target, [part]: () => Promise.reject(new Error("away")) };
      await expect(update(failing, [upsert("b")])).rejects.toThrow("away");
    }
    expect(await target.pointer()).toMatchObject({ version: 1 });
  });

  test("writes a new base when the overlay is too large", async () => {
    const { target } = memoryTarget();
    const first = await update(target, [upsert("a")]);
    const many = Array.from({ length: maxOverlayChanges }, (_, at) => upsert(`id${at}`));
    const full = await update(target, many);
    expect(full?.base_key).toBe(first?.base_key);
    const next = await update(target, [{ type: "remove", id: "id0" }, upsert("last")]);
    expect(next).toMatchObject({ version: 3, overlay_key: null });
    const { index } = await read(target);
    expect(catalogPage(index, { page: 1, per_page: 1 }).total).toBe(maxOverlayChanges + 1);
    expect(cardAddress(index, "id0")).toBeUndefined();
  });

  test("keeps documents across overlays and new bases", async () => {
    const { target } = memoryTarget();
    const document = (name: string, value: unknown): IndexChange => ({
      type: "document",
      name,
      value,
    });
    await update(target, [document("materials", ["oak"]), document("categories", [1])]);
    await update(target, [document("materials", ["oak", "teak"])]);
    const expected = { materials: ["oak", "teak"], categories: [1] };
    expect((await read(target)).documents).toEqual(expected);
    await update(
      target,
      Array.from({ length: 300 }, (_, at) => upsert(`id${at}`)),
    );
    expect((await read(target)).documents).toEqual(expected);
  });

  test("loses no change of concurrent writers", async () => {
    const { target } = memoryTarget();
    await update(target, [upsert("a")]);
    await Promise.all(["b", "c", "d", "e"].map((id) => update(target, [upsert(id)])));
    expect((await read(target)).names).toEqual(["a", "b", "c", "d", "e"]);
    expect(await target.pointer()).toMatchObject({ version: 5 });
  });

  test("throws if every attempt conflicts with another writer", async () => {
    const { target } = memoryTarget();
    const losing = { ...target, advance: () => Promise.resolve(false) };
    await expect(update(losing, [upsert("a")])).rejects.toThrow("moved by other writers");
  });

  test("updates the pointer only after the objects are stored", async () => {
    const { target, objects } = memoryTarget();
    await update(target, [upsert("a")]);
    const failing = { ...target, put: () => Promise.reject(new Error("S3 is away")) };
    await expect(update(failing, [upsert("b")])).rejects.toThrow("S3 is away");
    expect(await target.pointer()).toMatchObject({ version: 1 });
    expect(objects.size).toBe(1);
  });

  test("can rebuild an index of unknown format", async () => {
    const { target, objects } = memoryTarget();
    await update(target, [upsert("a")]);
    await update(target, [upsert("b")]);
    for (const key of objects.keys()) objects.set(key, gzipSync('{"format":99}'));
    await expect(update(target, [upsert("c")])).rejects.toThrow(UnreadableIndex);
    await rebuildIndex(target, async () => ({
      entries: [anEntry("z")],
      documents: { materials: [] },
    }));
    expect(await target.pointer()).toMatchObject({ version: 3, overlay_key: null });
    expect((await read(target)).names).toEqual(["Chair z"]);
  });
});

describe("changes in the catalog index overlay", () => {
  test("leave the last change in effect, even after a removal", () => {
    const overlay = withChanges(emptyOverlay, [
      upsert("a", "first"),
      { type: "remove", id: "a" },
      { type: "remove", id: "b" },
      upsert("b", "back"),
    ]);
    expect(overlay.removals).toEqual(["a"]);
    expect(overlay.upserts.map(({ card }) => card.name)).toEqual(["back"]);
  });

  test("are refused if their format is unknown", () => {
    expect(() => decodeOverlay(gzipSync('{"format":0}'))).toThrow("Unknown format 0");
  });
});
