import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CouponBenefit } from "#shared/domain/pricing/coupon.ts";
import { priceCart, type Pricing, Totals } from "#shared/domain/pricing/totals.ts";
import { ShippingQuote } from "#shared/domain/delivery/shipping.ts";
import {
  aCoupon,
  aCouponCase,
  aMethod,
  aPricedLine,
  aPricing,
  aTax,
  aZone,
  anId,
  someSettings,
  someShipping,
} from "#test/support/shop/commerce.ts";

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe("the totals of an example cart", () => {
  test("do not add the GST of 18 % to prices that include it", () => {
    const { totals } = priceCart(aPricing());
    expect(totals).toEqual({
      items_subtotal: 4_599_000,
      discount: 0,
      shipping: 49_900,
      shipping_tax: 7_612,
      tax: 701_542 + 7_612,
      grand_total: 4_648_900,
      provisional: false,
    });
  });

  test("add tax to prices that exclude tax, while the shipping price includes it", () => {
    const settings = someSettings({ tax: aTax({ prices_include_tax: false }) });
    const { totals, lines } = priceCart(aPricing({ settings }));
    expect(lines[0]!.amounts.line_tax).toBe(827_820);
    expect(lines[0]!.amounts.line_total).toBe(5_426_820);
    expect(totals.grand_total).toBe(5_426_820 + 49_900);
    expect(totals.tax).toBe(827_820 + 7_612);
  });

  test("distribute a coupon of 10 % exactly over three equal lines", () => {
    const lines = [1, 2, 3].map((n) => aPricedLine({ id: anId("line", n), unit_price: 3_335 }));
    const { totals, lines: priced } = priceCart(aPricing({ lines, coupon: aCouponCase() }));
    expect(totals.discount).toBe(1_000);
    expect(priced.map(({ amounts }) => amounts.line_discount)).toEqual([334, 333, 333]);
  });

  test("are provisional and have no shipping price if there is no destination", () => {
    const { totals, quote, cod } = priceCart(aPricing({ destination: null }));
    expect(totals).toMatchObject({
      shipping: null,
      shipping_tax: 0,
      provisional: true,
      grand_total: 4_599_000,
    });
    expect(quote).toBeNull();
    expect(cod).toBeNull();
  });

  test("are provisional if the delivery method is not offered", () => {
    const { totals, method } = priceCart(aPricing({ method: "white_glove" }));
    expect(method).toBeNull();
    expect(totals).toMatchObject({ shipping: null, provisional: true });
  });

  test("have a shipping price of zero and no line discounts with a free-shipping coupon", () => {
    const coupon = aCouponCase({ coupon: aCoupon({ benefit: { kind: "free_shipping" } }) });
    const { totals } = priceCart(aPricing({ coupon }));
    expect(totals).toMatchObject({ shipping: 0, shipping_tax: 0, discount: 0, provisional: false });
    expect(totals.grand_total).toBe(totals.items_subtotal);
  });

  test("have free shipping only if the subtotal after the discount reaches the amount from which delivery is free", () => {
    const shipping = someShipping([aZone({ methods: [aMethod({ free_above: 4_500_000 })] })]);
    const settings = someSettings({ shipping });
    expect(priceCart(aPricing({ settings })).totals.shipping).toBe(0);
    expect(priceCart(aPricing({ settings, coupon: aCouponCase() })).totals.shipping).toBe(49_900);
  });

  test("are unchanged by a refused coupon", () => {
    const coupon = aCouponCase({ coupon: null });
    const { totals, coupon: verdict } = priceCart(aPricing({ coupon }));
    expect(verdict).toMatchObject({ valid: false, reason: "not_found" });
    expect(totals).toEqual(priceCart(aPricing()).totals);
  });

  test("are zero for an empty cart", () => {
    const { totals } = priceCart(aPricing({ lines: [], destination: null }));
    expect(totals).toMatchObject({ items_subtotal: 0, tax: 0, grand_total: 0, provisional: true });
  });

  test("permit cash on delivery only if the whole total, including shipping, is within the limit", () => {
    const settings = someSettings();
    const limit = { ...settings.payments.cod, max_amount: 4_648_900 };
    const within = { ...settings, payments: { ...settings.payments, cod: limit } };
    expect(priceCart(aPricing({ settings: within })).cod).toMatchObject({ available: true });
    const below = { ...limit, max_amount: 4_648_899 };
    const above = { ...settings, payments: { ...settings.payments, cod: below } };
    expect(priceCart(aPricing({ settings: above })).cod).toMatchObject({
      available: false,
      reason: "amount",
    });
  });
});

const line = fc
  .record({
    unit_price: fc.integer({ min: 0, max: 1_000_000_000_000 }),
    quantity: fc.integer({ min: 1, max: 99 }),
    tax_class: fc.constantFrom("standard", "reduced", "other"),
    kind: fc.constantFrom("product" as const, "quoted" as const),
    categories: fc.constantFrom(["chairs", "seating"], ["beds"]),
    product_id: fc.constantFrom(anId("prd", 1), anId("prd", 2)),
  })
  .map(aPricedLine);

const benefit: fc.Arbitrary<CouponBenefit> = fc.oneof(
  fc.record({
    kind: fc.constant("percent" as const),
    bps: fc.integer({ min: 1, max: 10_000 }),
    cap: fc.option(fc.integer({ min: 1, max: 10_000_000 })),
  }),
  fc.record({
    kind: fc.constant("fixed" as const),
    amount: fc.integer({ min: 1, max: 10_000_000 }),
  }),
  fc.constant({ kind: "free_shipping" as const }),
);

const coupon = fc
  .record({
    benefit,
    categories: fc.constantFrom([], ["chairs"], ["seating", "beds"], ["lamps"]),
    product_ids: fc.constantFrom([], [anId("prd", 2)]),
    min_subtotal: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
  })
  .map(({ categories, product_ids, ...rest }) =>
    aCouponCase({
      coupon: aCoupon({
        ...rest,
        applies_to: { categories: [...categories], product_ids: [...product_ids] },
      }),
    }),
  );

const request = fc
  .record({
    lines: fc.array(line, { maxLength: 50 }),
    coupon: fc.option(coupon),
    inclusive: fc.boolean(),
    destination: fc.constantFrom(
      null,
      { country: "IN", postal_code: "560001" },
      { country: "IN", postal_code: "600001" },
      { country: "IN", postal_code: "110001" },
      { country: "SG", postal_code: "018956" },
    ),
    method: fc.constantFrom(null, "standard" as const),
    free_above: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
  })
  .map(({ inclusive, free_above, ...rest }) =>
    aPricing({
      ...rest,
      settings: someSettings({
        tax: aTax({ prices_include_tax: inclusive }),
        shipping: someShipping([aZone({ methods: [aMethod({ free_above })] })]),
      }),
    }),
  );

function onAnyCart(check: (pricing: Pricing, inclusive: boolean) => void) {
  fc.assert(
    fc.property(request, (asked) => check(priceCart(asked), asked.settings.tax.prices_include_tax)),
    { numRuns: 150 },
  );
}

describe("the totals of every generated cart", () => {
  test("have a grand total equal to the sum of the lines and shipping", () => {
    onAnyCart(({ lines, totals }) => {
      const expected = sum(lines.map(({ amounts }) => amounts.line_total)) + (totals.shipping ?? 0);
      expect(totals.grand_total).toBe(expected);
    });
  });

  test("have line discounts that add up to the discount and never exceed their lines", () => {
    onAnyCart(({ lines, totals }) => {
      expect(sum(lines.map(({ amounts }) => amounts.line_discount))).toBe(totals.discount);
      for (const { amounts } of lines) {
        expect(amounts.line_discount).toBeGreaterThanOrEqual(0);
        expect(amounts.line_discount).toBeLessThanOrEqual(amounts.line_subtotal);
      }
    });
  });

  test("have line totals equal to the subtotal less its discount, plus tax if prices exclude tax", () => {
    onAnyCart(({ lines }, inclusive) => {
      for (const { amounts } of lines) {
        const { line_subtotal, line_discount, line_tax, line_total } = amounts;
        expect(line_total).toBe(line_subtotal - line_discount + (inclusive ? 0 : line_tax));
      }
    });
  });

  test("have tax components that add up to each line's tax, to the shipping tax and to the total tax", () => {
    onAnyCart(({ lines, totals, shipping_tax_components }) => {
      for (const { amounts, tax_components } of lines) {
        expect(sum(tax_components.map(({ amount }) => amount))).toBe(amounts.line_tax);
      }
      expect(sum(shipping_tax_components.map(({ amount }) => amount))).toBe(totals.shipping_tax);
      expect(totals.shipping_tax).toBeLessThanOrEqual(totals.shipping ?? 0);
      expect(totals.tax).toBe(
        sum(lines.map(({ amounts }) => amounts.line_tax)) + totals.shipping_tax,
      );
    });
  });

  test("stay within the declared range, even for the largest cart", () => {
    onAnyCart(({ totals, quote }) => {
      expect(Totals.safeParse(totals).success).toBe(true);
      if (quote) expect(ShippingQuote.safeParse(quote).success).toBe(true);
    });
  });
});
