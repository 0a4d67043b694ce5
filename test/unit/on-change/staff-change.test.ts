import { describe, expect, test } from "vitest";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import { type Stock, newStock, usualTerms } from "#shared/domain/catalog/stock.ts";
import { noon } from "#test/support/shop/commerce.ts";

const owner = { kind: "product", id: "prd_1", slug: "stool" } as const;
const row = (changes: Partial<Stock> = {}): Stock => ({
  ...newStock("var_1", owner, usualTerms, noon),
  on_hand: 5,
  available: 5,
  ...changes,
});
const change = (before: Stock | undefined, after: Stock | undefined) =>
  messageTo("staffIndex", { pk: "STOCK#var_1", before: imaged(before), after: imaged(after) });
const imaged = (stock: Stock | undefined) => stock && { entity: "stock", ...stock };

describe("the consumer of the staff index", () => {
  test.each([
    ["PRODUCT#prd_1", { kind: "product", id: "prd_1" }],
    ["SOFA#sofa_1", { kind: "sofa", id: "sofa_1" }],
    ["MATERIAL#mat_1", { kind: "material", id: "mat_1" }],
  ])("receives every change of %s", (pk, heard) => {
    const after = { entity: heard.kind };
    expect(messageTo("staffIndex", { pk, before: undefined, after })).toEqual(heard);
  });

  test("receives stock that is created, deleted, low in stock or assigned to another owner", () => {
    const heard = { kind: "stock", id: "var_1" };
    expect(change(undefined, row())).toEqual(heard);
    expect(change(row(), undefined)).toEqual(heard);
    expect(change(row(), row({ available: 0 }))).toEqual(heard);
    expect(change(row(), row({ owner: { ...owner, slug: "moved" } }))).toEqual(heard);
  });

  test("receives neither published copies nor a sale that leaves enough stock", () => {
    expect(change(row(), row({ available: 4, reserved: 1 }))).toBe(undefined);
    const copy = { entity: "published_product" };
    const published = { pk: "LIVE#product#x", before: copy, after: copy };
    expect(messageTo("staffIndex", published)).toBe(undefined);
  });
});
