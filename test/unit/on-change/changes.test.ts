import { describe, expect, test } from "vitest";
import { catalogChange } from "#functions/on-change/stream/changes.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";

const row = (overrides: Partial<Stock> = {}): Stock => ({
  sku: "CHR-1",
  owner: { kind: "product", id: "prd_1", slug: "oslo", variant_id: "var_1" },
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
  catalogChange({ pk: "STOCK#CHR-1", before: imaged(before), after: imaged(after) });
const imaged = (stock: Stock | undefined) => stock && { entity: "stock", ...stock };

describe("the catalog index consumer", () => {
  test.each([
    ["LIVE#product#oslo", { kind: "product", slug: "oslo" }],
    ["LIVE#sofa#bergen", { kind: "sofa", slug: "bergen" }],
    ["LIVE#material#linen-oat", { kind: "material", code: "linen-oat" }],
    ["LIVE#page#about", { kind: "page", slug: "about" }],
    ["LIVE#story#deco", { kind: "story", slug: "deco" }],
    ["LIVE#categories", { kind: "categories" }],
    ["LIVE#sofa-landing", { kind: "sofa-landing" }],
  ])("receives the change of %s", (pk, change) => {
    expect(catalogChange({ pk, before: undefined, after: {} })).toEqual(change);
    expect(catalogChange({ pk, before: {}, after: undefined })).toEqual(change);
  });

  test("receives the change of the search settings, and of no other group", () => {
    const [pk, before] = ["SETTINGS", undefined];
    const change = (group: string) => catalogChange({ pk, before, after: { group } });
    expect([change("search"), change("seo")]).toEqual([{ kind: "search-settings" }, undefined]);
  });

  test.each(["LIVE#menus", "LIVE#home", "PRODUCT#prd_1", "CARD#prd_1", "ORDER#ord_1"])(
    "receives no change of %s",
    (pk) => expect(catalogChange({ pk, before: {}, after: {} })).toBeUndefined(),
  );

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
