import { describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { messageTo, rulesOf } from "#functions/on-change/stream/effects.ts";
import { everyEntity } from "#infra/entities.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { patternsIn } from "#shared/storage/key-patterns.ts";

const row = (overrides: Partial<Stock> = {}): Stock => ({
  id: "var_1",
  owner: { kind: "product", id: "prd_1", slug: "oslo" },
  on_hand: 10,
  reserved: 0,
  available: 10,
  policy: "deny",
  low_stock_threshold: 2,
  version: 1,
  updated_at: "2026-11-21T06:30:00.000Z",
  ...overrides,
});

const stockChange = (before: Stock | undefined, after: Stock | undefined) =>
  messageTo("catalogIndex", { pk: "STOCK#var_1", before: imaged(before), after: imaged(after) });
const imaged = (stock: Stock | undefined) => stock && { entity: "stock", ...stock };

describe("the catalog index consumer", () => {
  test.each([
    ["LIVE#product#oslo", "published_product", { kind: "product", slug: "oslo" }],
    ["LIVE#sofa#bergen", "published_sofa", { kind: "sofa", slug: "bergen" }],
    ["LIVE#material#linen-oat", "published_material", { kind: "material", code: "linen-oat" }],
    ["LIVE#page#about", "published_page", { kind: "page", slug: "about" }],
    ["LIVE#story#deco", "published_story", { kind: "story", slug: "deco" }],
    ["LIVE#categories", "categories", { kind: "categories" }],
    ["LIVE#sofa-landing", "published_sofa_landing", { kind: "sofa-landing" }],
  ])("receives the change of %s", (pk, entity, change) => {
    const [before, after] = [undefined, { entity }];
    expect(messageTo("catalogIndex", { pk, before, after })).toEqual(change);
    expect(messageTo("catalogIndex", { pk, before: after, after: before })).toEqual(change);
  });

  test("receives the change of the search settings, and of no other group", () => {
    const [pk, before] = ["SETTINGS", undefined];
    const change = (group: string) =>
      messageTo("catalogIndex", { pk, before, after: { entity: "settings", group } });
    expect([change("search"), change("seo")]).toEqual([{ kind: "search-settings" }, undefined]);
  });

  test.each([
    ["LIVE#menus", "published_menus"],
    ["LIVE#home", "published_home"],
    ["PRODUCT#prd_1", "product"],
    ["CARD#prd_1", "card"],
    ["ORDER#ord_1", "order"],
  ])("receives no change of %s", (pk, entity) => {
    const image = { entity };
    expect(messageTo("catalogIndex", { pk, before: image, after: image })).toBeUndefined();
  });

  test.each<[string, Stock | undefined, Stock | undefined]>([
    ["is created", undefined, row()],
    ["is deleted", row(), undefined],
    ["becomes low", row(), row({ available: 2 })],
    ["has one unit fewer while it is low", row({ available: 2 }), row({ available: 1 })],
    ["runs out", row({ available: 1 }), row({ available: 0 })],
    ["is available again", row({ available: 0 }), row({ available: 1 })],
    ["now permits backorders", row({ available: 0 }), row({ available: 0, policy: "backorder" })],
  ])("receives a stock change in which the stock %s", (_, before, after) => {
    expect(stockChange(before, after)).toEqual({ kind: "product", slug: "oslo" });
  });

  test("receives no sale that leaves the stock state unchanged", () => {
    expect(stockChange(row(), row({ available: 9, version: 2 }))).toBeUndefined();
  });

  test("receives no stock changes of swatches", () => {
    const owner = { kind: "swatch", id: "mat_1", slug: "linen", variant_id: null } as const;
    expect(stockChange(row({ owner }), row({ owner, available: 0 }))).toBeUndefined();
  });
});

test("the documents consumer receives an order whose change needs a credit note, and no other change", () => {
  const received = (members: object) =>
    messageTo("documents", {
      pk: "ORDER#ord_1",
      before: undefined,
      after: { entity: "order_change", ...members },
    });
  const credit = { lines: [], shipping: { amount: 100, taxes: [] } };
  expect([received({ credit }), received({})]).toEqual([{ kind: "order", id: "ord_1" }, undefined]);
});

test("every entity whose changes have effects is in a partition that the stream's reader receives", async () => {
  const source = consumers.find(({ name }) => name === "on-change-stream")?.source;
  if (source?.kind !== "stream") throw new Error("The stream has no reader");
  const received = [...source.partitions, ...source.newIn, source.rows.partition];
  const entities = await everyEntity();
  const unheard = Object.keys(rulesOf).filter((name) => {
    const entity = entities.find((each) => each.name === name);
    const places = entity ? patternsIn(entity, "table") : [];
    return !places.some(([pk]) => received.some((beginning) => pk.startsWith(beginning)));
  });
  expect(unheard).toEqual([]);
});
