import { describe, expect, test } from "vitest";
import { type CartReading, cartView, shortages } from "#shared/domain/cart/cart-view.ts";
import { priceCart } from "#shared/domain/pricing/totals.ts";
import {
  aCoupon,
  aCouponCase,
  aPricedLine,
  aPricing,
  aStockRow,
  aStoredCart,
  anId,
} from "#test/support/shop/commerce.ts";

const stockOf = (...rows: Parameters<typeof aStockRow>[0][]) =>
  new Map(rows.map((row) => [anId("var"), aStockRow(row)]));

describe("the message about insufficient stock", () => {
  test.each([
    [0, "Oslo chair is out of stock."],
    [1, "Only 1 of Oslo chair is left."],
    [9, "Only 9 of Oslo chair are left."],
    [10, "Only 10 of Oslo chair are left."],
    [42, "There are not enough units of Oslo chair."],
  ])("states the exact stock only up to ten units: %i units", (available, message) => {
    const line = aPricedLine({ quantity: available + 1 });
    expect(shortages([line], stockOf({ available }))).toEqual([
      { line, available: Math.min(10, available), message },
    ]);
  });

  test("considers the total quantity of all lines with the SKU", () => {
    const lines = [aPricedLine({ quantity: 3 }), aPricedLine({ id: anId("line", 2), quantity: 3 })];
    expect(shortages(lines, stockOf({ available: 5 }))).toHaveLength(2);
    expect(shortages(lines, stockOf({ available: 6 }))).toEqual([]);
  });

  test("is absent for backorders and for lines without SKU, but present if the SKU has no stock row", () => {
    expect(shortages([aPricedLine()], stockOf({ available: 0, policy: "backorder" }))).toEqual([]);
    expect(shortages([aPricedLine({ sku: null })], new Map())).toEqual([]);
    expect(shortages([aPricedLine()], new Map())).toHaveLength(1);
  });
});

describe("a cart as its buyer sees it", () => {
  function reading(overrides: Partial<CartReading> = {}): CartReading {
    const line = aPricedLine({ quantity: 2, last_price: 4_500_000 });
    return {
      cart: aStoredCart({ version: 7 }),
      currency: "INR",
      lines: [{ line, requirement: null }],
      stock: stockOf({ available: 50 }),
      slot: { kind: "none" },
      pricing: priceCart(aPricing({ lines: [line], destination: null, method: null })),
      ...overrides,
    };
  }

  test("has the unit count and the current prices, and warns if a price has changed since the last write", () => {
    expect(cartView(reading())).toMatchObject({
      id: anId("cart"),
      version: 7,
      item_count: 2,
      items: [{ unit_price: 4_599_000, price_changed: { from: 4_500_000, to: 4_599_000 } }],
      totals: { grand_total: 9_198_000, shipping: null, provisional: true },
      warnings: [{ code: "price_changed", item_id: anId("line") }],
      requirements: [],
      coupon: null,
    });
  });

  test("reports an unavailable line once, not also as out of stock", () => {
    const gone = { code: "unavailable", message: "Gone.", item_id: anId("line") } as const;
    const lines = [{ line: aPricedLine(), requirement: gone }];
    const view = cartView(reading({ lines, stock: new Map() }));
    expect(view.requirements).toEqual([gone]);
  });

  test("has a requirement with the reason if its coupon does not apply", () => {
    const coupon = aCouponCase({ coupon: aCoupon({ active: false }) });
    const view = cartView(
      reading({
        cart: aStoredCart({ coupon_code: "WELCOME10" }),
        pricing: priceCart(aPricing({ lines: [reading().lines[0]!.line], coupon })),
      }),
    );
    expect(view.coupon).toEqual({ code: "WELCOME10", valid: false, reason: "not_found" });
    expect(view.requirements).toMatchObject([{ code: "coupon_invalid", item_id: null }]);
  });
});
