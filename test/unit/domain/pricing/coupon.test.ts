import { describe, expect, test } from "vitest";
import {
  type CouponBuyer,
  type CouponCase,
  type CouponLine,
  CouponReason,
  judgeCoupon,
} from "#shared/domain/pricing/coupon.ts";
import { aCoupon, aCouponCase, anId, noon } from "#test/support/shop/commerce.ts";

const buyer: CouponBuyer = { signed_in: true, orders: 0, uses: 0 };

function aLine(overrides: Partial<CouponLine> = {}): CouponLine {
  return {
    subtotal: 100_000,
    product_id: anId("prd"),
    sofa_id: null,
    categories: ["chairs", "seating"],
    quoted: false,
    ...overrides,
  };
}

function judged(known: Partial<CouponCase>, lines: readonly CouponLine[] = [aLine()]) {
  return judgeCoupon(aCouponCase({ buyer, ...known }), lines, noon, {
    currency: "INR",
    locale: "en-IN",
  });
}

const refusals: [CouponReason, Partial<CouponCase>, CouponLine[]?][] = [
  ["not_found", { coupon: null }],
  ["not_found", { coupon: aCoupon({ active: false }) }],
  ["not_started", { coupon: aCoupon({ starts_at: "2026-11-21T12:00:00.001+05:30" }) }],
  ["expired", { coupon: aCoupon({ ends_at: "2026-11-21T12:00:00.000+05:30" }) }],
  ["exhausted", { coupon: aCoupon({ max_uses: 20 }), uses: 20 }],
  [
    "per_customer_limit",
    { coupon: aCoupon({ max_uses_per_customer: 1 }), buyer: { ...buyer, uses: 1 } },
  ],
  ["min_subtotal", { coupon: aCoupon({ min_subtotal: 100_001 }) }],
  [
    "login_required",
    { coupon: aCoupon({ login_required: true }), buyer: { ...buyer, signed_in: false } },
  ],
  [
    "first_order_only",
    { coupon: aCoupon({ first_order_only: true }), buyer: { ...buyer, orders: 1 } },
  ],
  [
    "not_applicable",
    { coupon: aCoupon({ applies_to: { categories: ["beds"], product_ids: [] } }) },
  ],
  ["not_applicable", {}, [aLine({ quoted: true })]],
  ["not_applicable", {}, []],
];

describe("the validation of a coupon", () => {
  test.each(refusals)("refuses with the reason %s: %j", (reason, known, lines) => {
    const verdict = judged(known, lines);
    expect(verdict).toMatchObject({ valid: false, reason });
    expect(verdict).toHaveProperty("message", expect.stringMatching(/^[A-Z].+\.$/));
  });

  test("can refuse with every declared reason", () => {
    expect(new Set(refusals.map(([reason]) => reason))).toEqual(new Set(CouponReason.options));
  });

  test("accepts a coupon at its first moment, for its last use and at exactly its minimum subtotal", () => {
    expect(judged({ coupon: aCoupon({ starts_at: noon.toISOString() }) }).valid).toBe(true);
    expect(judged({ coupon: aCoupon({ max_uses: 20 }), uses: 19 }).valid).toBe(true);
    expect(judged({ coupon: aCoupon({ min_subtotal: 100_000 }) }).valid).toBe(true);
  });
});

describe("the discount of a coupon", () => {
  const half = aCoupon({ benefit: { kind: "percent", bps: 5_000, cap: 60_000 } });

  test("is limited by the cap of a percentage coupon", () => {
    expect(judged({ coupon: half })).toMatchObject({ valid: true, discount: 50_000 });
    expect(judged({ coupon: half }, [aLine({ subtotal: 200_000 })])).toMatchObject({
      discount: 60_000,
    });
  });

  test("never exceeds the subtotal if the coupon has a fixed amount", () => {
    const coupon = aCoupon({ benefit: { kind: "fixed", amount: 250_000 } });
    expect(judged({ coupon }, [aLine(), aLine({ subtotal: 50_000 })])).toMatchObject({
      discount: 150_000,
      shares: [100_000, 50_000],
    });
  });

  test("excludes lines to which the coupon does not apply", () => {
    const coupon = aCoupon({
      applies_to: { categories: ["beds"], product_ids: [anId("sofa", 7)] },
    });
    const lines = [
      aLine(),
      aLine({ categories: ["beds"] }),
      aLine({ product_id: null, sofa_id: anId("sofa", 7), categories: ["sofas"] }),
      aLine({ categories: ["beds"], quoted: true }),
    ];
    expect(judged({ coupon }, lines)).toMatchObject({ shares: [0, 10_000, 10_000, 0] });
  });

  test("requires that eligible lines alone reach the minimum", () => {
    const coupon = aCoupon({
      min_subtotal: 150_000,
      applies_to: { categories: ["beds"], product_ids: [] },
    });
    const lines = [aLine({ categories: ["beds"] }), aLine()];
    expect(judged({ coupon }, lines)).toMatchObject({ valid: false, reason: "min_subtotal" });
  });
});
