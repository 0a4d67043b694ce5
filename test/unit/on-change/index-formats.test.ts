// @module-tag slow
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CatalogChange } from "#shared/queues/queue-messages.ts";
import { catalogWork, onlyReading } from "#shared/application/listing/catalog-work.ts";
import { prepareIndex } from "#shared/application/listing/prepare-index.ts";
import { bySlug, cardText, cardSlugs } from "#shared/search/cards.ts";
import type { IndexTarget } from "#shared/search/catalog-writer.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { UnreadableIndex } from "#shared/domain/listing/index-pointer.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { Cards, PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { openIndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
import { readerOf } from "../catalog-index/memory-target.ts";
import { aWriterOf, productOf } from "./index-writer.ts";

let fixture: TestTable;
let objects: Map<string, Uint8Array>;
beforeEach(async () => {
  fixture = await startTestTable();
  objects = new Map();
  for (const letter of "bcdefgh") await plantProduct(fixture.table, { slug: `${letter}-chair` });
});
afterEach(() => fixture.stop());

const all: CatalogChange[] = [{ kind: "rebuild" }];
const log = { warn() {}, error() {} };

/** The functions of a release, which read stored indexes of their own format only. */
function aRelease(format: number) {
  const { table } = fixture;
  const target: IndexTarget = {
    folder: "view",
    log,
    ...openIndexPointer(table, "catalog", format),
    async object(key) {
      const stored = objects.get(key);
      if (stored?.[0] !== format) throw new UnreadableIndex(`${key} is of another format`);
      return stored.subarray(1);
    },
    now: Date.now,
    async put(key, bytes) {
      objects.set(key, new Uint8Array([format, ...bytes]));
    },
    async remove(key) {
      objects.delete(key);
    },
  };
  const rebuilds = openIndexRebuilds(table, "catalog", { format });
  const writer = aWriterOf(table, { target, rebuilds }, 3);
  /** The content that a newly started function of this release serves. */
  const shown = async () =>
    contentsOf(
      await readerOf({
        mediaBaseUrl: "https://media.example.com",
        ...target,
        now: () => 0,
        log,
      }).current(),
    );
  /** The dependencies for building the index before the deployment, as an operator does. */
  const ahead = {
    ...writer.deps,
    published: onlyReading(openIndexedCatalog(table)),
    rebuilds: openIndexRebuilds(table, "catalog", { format, ahead: true }),
  };
  const prepare = (over: Partial<typeof ahead> = {}) =>
    prepareIndex(catalogWork({ ...ahead, ...over }));
  return { ...writer, target, rebuilds, shown, ahead, prepare };
}

function contentsOf({ index }: Catalog) {
  return Object.fromEntries(
    cardSlugs(index, "product").map((slug) => {
      const id = bySlug(index, "product", slug)?.id ?? "";
      return [slug, JSON.parse(cardText(index, id) ?? "null")];
    }),
  );
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

/** A shop that the old release serves with format 1, and the next release, which uses format 2. */
async function aShop() {
  const old = aRelease(1);
  await old.deliver([all]);
  await old.settle();
  return { old, next: aRelease(2) };
}

describe("the catalog index of a new release that changes the index format", () => {
  test("is served from the first request on if it was built before the deployment, and loses no concurrent change", async () => {
    const [early, leaving] = [await aProduct("a-chair"), await aProduct("b-stool")];
    const { old, next } = await aShop();
    const change = async (made: Promise<unknown>, changed: typeof early) => {
      await made;
      expect(await old.deliver([[productOf(changed)]])).toEqual([]);
    };
    const steps = [
      () => change(early.rename("Early"), early),
      () => change(leaving.leave(), leaving),
      async () => {
        const added = await aProduct("a-stool");
        await change(Promise.resolve(), added);
      },
    ];
    // After each read by this build of the index, a record that the build has already read changes.
    const { published } = next.ahead;
    const changing = {
      ...published,
      async products(slugs: readonly string[]) {
        const found = await published.products(slugs);
        await steps.shift()?.();
        return found;
      },
    };
    expect(await next.prepare({ published: changing })).toBe(true);
    expect(steps).toHaveLength(0);
    const served = await old.shown();
    expect(served["a-chair"].name).toBe("Early");
    expect(Object.keys(served)).toContain("a-stool");

    // The deployment of the new release.
    const first = await next.shown();
    expect(Object.keys(first)).toEqual(expect.arrayContaining(["b-chair", "h-chair", "a-chair"]));
    expect(first["a-chair"].name).not.toBe("Early");
    const late = await aProduct("z-chair");
    expect(await next.deliver([[productOf(late)]])).toEqual([]);
    expect(Object.keys(await next.shown())).toContain("z-chair");
    expect(await next.settle()).toBeGreaterThan(1);
    const whole = await next.shown();
    expect(whole).toEqual({ ...served, "z-chair": whole["z-chair"] });
    expect(Object.keys(whole)).not.toContain("b-stool");

    // The index is stored in the new format now, so it is not rebuilt again.
    await next.deliver([[productOf(late)]]);
    expect(next.sent.size).toBe(0);
  });

  test("lacks the changes made since it was built, until a manually requested rebuild adds them", async () => {
    const { old, next } = await aShop();
    const early = await aProduct("a-chair");
    await next.prepare();
    await early.leave();
    await old.deliver([[productOf(early)]]);
    expect(Object.keys(await next.shown())).toContain("a-chair");
    await next.deliver([all]);
    await next.settle();
    expect(await next.shown()).toEqual(await old.shown());
  });

  test("is unavailable if it was not built before the deployment, until the writer has rebuilt it", async () => {
    const { old, next } = await aShop();
    await expect(next.shown()).rejects.toThrow(Unavailable);
    const served = await old.shown();
    expect(await next.deliver([[{ kind: "product", slug: "b-chair" }]])).toEqual([]);
    await expect(next.shown()).rejects.toThrow(Unavailable);
    await next.settle();
    expect(await next.shown()).toEqual(served);
  });

  test("is empty if no index ever existed", async () => {
    expect(await aRelease(2).shown()).toEqual({});
  });

  test("permits a rollback: the previous release immediately serves its own index and then applies later changes", async () => {
    const { old, next } = await aShop();
    const early = await aProduct("a-chair");
    await next.prepare();
    await next.deliver([[productOf(early)]]);
    await next.settle();
    await early.rename("Early");
    await next.deliver([[productOf(early)]]);
    expect(Object.keys(await old.shown())).toHaveLength(7);
    await old.deliver([[{ kind: "product", slug: "b-chair" }]]);
    await old.settle();
    expect((await old.shown())["a-chair"].name).toBe("Early");
  });

  test("writes no cards while it is built before the deployment", async () => {
    const { next } = await aShop();
    const unseen = await aProduct("a-chair");
    await next.prepare();
    expect(await fixture.table.get(Cards, unseen.product)).toBeUndefined();
    expect(Object.keys(await next.shown())).toContain("a-chair");
  });

  test("can be built again after a failed attempt, and two concurrent attempts leave a complete index", async () => {
    const { old, next } = await aShop();
    const served = await old.shown();
    let puts = 0;
    const breaking: IndexTarget = {
      ...next.target,
      async put(...object) {
        if (++puts === 3) throw new Error("gone");
        return next.target.put(...object);
      },
    };
    await expect(next.prepare({ target: breaking })).rejects.toThrow("gone");
    await expect(next.shown()).rejects.toThrow(Unavailable);
    const both = await Promise.all([next.prepare(), next.prepare()]);
    expect(both.filter((isAdopted) => isAdopted)).not.toHaveLength(0);
    expect(await next.shown()).toEqual(served);
    expect(await old.shown()).toEqual(served);
  });

  test("is rebuilt if the release is deployed while the index is still being built", async () => {
    const { old, next } = await aShop();
    const { published } = next.ahead;
    const deployed = {
      ...published,
      async sofas(slugs: readonly string[]) {
        await next.deliver([[{ kind: "product", slug: "b-chair" }]]);
        return published.sofas(slugs);
      },
      async products(slugs: readonly string[]) {
        if (slugs.includes("e-chair")) await next.deliver([[{ kind: "product", slug: "b-chair" }]]);
        return published.products(slugs);
      },
    };
    expect(await next.prepare({ published: deployed })).toBe(false);
    await next.settle();
    expect(await next.shown()).toEqual(await old.shown());
  });

  test("is complete even if its writer crashes in any step of the rebuild", async () => {
    const { old, next } = await aShop();
    const early = await aProduct("a-chair");
    await next.prepare();
    for (const crashed of ["keep", "replace", "rebuildRequested"] as const) {
      await early.rename(crashed);
      await old.deliver([[productOf(early)]]);
      let isOver = false;
      const rebuilds = {
        ...next.rebuilds,
        async [crashed](...args: never[]) {
          const done = await (next.rebuilds[crashed] as (...of: never[]) => Promise<never>)(
            ...args,
          );
          if (!isOver) {
            isOver = true;
            throw new Error("crashed");
          }
          return done;
        },
      };
      while (
        (await next.deliver([[{ kind: "product", slug: "b-chair" }]], { rebuilds })).length > 0
      );
      await next.settle({ rebuilds });
      expect(isOver).toBe(true);
      expect((await next.shown())["a-chair"].name).toBe(crashed);
      // The previous release writes again before the next crash is tested.
      await old.deliver([[productOf(early)]]);
      await old.settle();
    }
  });

  test("enqueues no rebuild messages for failed attempts, and is then rebuilt once", async () => {
    const { old, next } = await aShop();
    const served = await old.shown();
    const refusing = {
      ...next.rebuilds,
      async keep() {
        throw new Error("not granted");
      },
    };
    const slugs = Object.keys(served);
    const changes = slugs.map((slug): CatalogChange[] => [{ kind: "product", slug }]);
    for (const _ of [1, 2]) {
      expect(await next.deliver(changes, { rebuilds: refusing })).toHaveLength(changes.length);
    }
    expect(next.sent.size).toBe(0);
    expect(await next.deliver(changes)).toEqual([]);
    expect([...next.sent.values()].filter(([change]) => change?.kind === "rebuild")).toEqual([all]);
    await next.settle();
    expect(await next.shown()).toEqual(served);
  });

  test("enqueues no second rebuild if its first message requests one", async () => {
    const { old, next } = await aShop();
    const served = await old.shown();
    expect(await next.deliver([all])).toEqual([]);
    expect([...next.sent.values()].filter(([change]) => change?.kind === "rebuild")).toEqual([]);
    await next.settle();
    expect(await next.shown()).toEqual(served);
  });

  test("is not overwritten by a late writer of the previous release", async () => {
    const { old, next } = await aShop();
    await next.prepare();
    const late = await aProduct("a-chair");
    const before = await old.target.pointer();
    const slow: IndexTarget = {
      ...old.target,
      async put(...object) {
        await next.deliver([[{ kind: "product", slug: "b-chair" }]]);
        return old.target.put(...object);
      },
    };
    // The message is delivered again, this time to the new release.
    expect(await old.deliver([[productOf(late)]], { target: slow })).toEqual([0]);
    expect(await old.target.pointer()).toEqual(before);
  });
});
