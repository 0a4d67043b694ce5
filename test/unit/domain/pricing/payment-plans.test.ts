import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { depositOf, paymentPlans } from "#shared/domain/pricing/payment-plans.ts";
import { priceCart } from "#shared/domain/pricing/totals.ts";
import {
  aCoupon,
  aCouponCase,
  aDepositSetting,
  aPricedLine,
  aPricing,
  aTax,
  someSettings,
  somePayments,
} from "#test/support/shop/commerce.ts";

const withDeposit = (overrides: Parameters<typeof aDepositSetting>[0] = {}) =>
  somePayments({ deposit: aDepositSetting(overrides) });
const fromStock = [{ made_to_order: false }];
const madeToOrder = [{ made_to_order: false }, { made_to_order: true }];

test("without the setting, a cart is paid at once", () => {
  expect(depositOf(100_000, madeToOrder, somePayments())).toBeNull();
  expect(paymentPlans(100_000, null)).toEqual([
    { code: "full", parts: [{ code: "full", amount: 100_000, due: "now" }] },
  ]);
});

describe("a deposit is offered", () => {
  const reference = { total: 100_000, lines: madeToOrder, payments: withDeposit() };
  const offered = ({ total, lines, payments }: typeof reference) =>
    depositOf(total, lines, payments);

  test("from the smallest total of the setting", () => {
    const payments = withDeposit({ min_total: 100_000 });
    expect(offered({ ...reference, payments })).toBe(20_000);
    expect(offered({ ...reference, payments, total: 99_999 })).toBeNull();
  });

  test("for any cart, or only for carts with a line that is made to order", () => {
    const payments = withDeposit({ applies_to: "made_to_order" });
    expect(offered({ ...reference, lines: fromStock })).toBe(20_000);
    expect(offered({ ...reference, payments })).toBe(20_000);
    expect(offered({ ...reference, payments, lines: fromStock })).toBeNull();
  });

  test("only if it can be paid without cash", () => {
    const { gateway, bank_transfer } = somePayments();
    const off = { gateway: { ...gateway, enabled: false } };
    const transfer = { ...withDeposit(), ...off };
    expect(offered({ ...reference, payments: transfer })).toBe(20_000);
    const cashOnly = { ...transfer, bank_transfer: { ...bank_transfer, enabled: false } };
    expect(offered({ ...reference, payments: cashOnly })).toBeNull();
  });

  test("rounded half to even, and never as nothing or as the whole total", () => {
    const half = withDeposit({ bps: 5_000 });
    expect(depositOf(25, fromStock, half)).toBe(12);
    expect(depositOf(27, fromStock, half)).toBe(14);
    expect(depositOf(1, fromStock, half)).toBeNull();
    expect(depositOf(3, fromStock, withDeposit({ bps: 9_999 }))).toBeNull();
  });
});

test("the parts of every plan add up to the grand total for every coupon, tax and amount", () => {
  const line = fc.record({
    unit_price: fc.integer({ min: 1, max: 50_000_000 }),
    quantity: fc.integer({ min: 1, max: 99 }),
    made_to_order: fc.boolean(),
  });
  const benefit = fc.oneof(
    fc.record({
      kind: fc.constant("percent" as const),
      bps: fc.integer({ min: 1, max: 10_000 }),
      cap: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: null }),
    }),
    fc.record({
      kind: fc.constant("fixed" as const),
      amount: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    fc.constant({ kind: "free_shipping" as const }),
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.option(benefit, { nil: null }),
      fc.boolean(),
      fc.constantFrom("INR", "JPY", "KWD"),
      fc.integer({ min: 1, max: 9_999 }),
      (lines, couponBenefit, prices_include_tax, currency, bps) => {
        const settings = someSettings({
          tax: aTax({ prices_include_tax }),
          payments: withDeposit({ bps }),
        });
        const { totals, deposit } = priceCart(
          aPricing({
            lines: lines.map((one) => aPricedLine(one)),
            coupon: couponBenefit && aCouponCase({ coupon: aCoupon({ benefit: couponBenefit }) }),
            settings: { ...settings, store: { ...settings.store, currency } },
          }),
        );
        const plans = paymentPlans(totals.grand_total, deposit);
        for (const { parts } of plans) {
          expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(totals.grand_total);
          if (parts.length > 1) expect(parts.every(({ amount }) => amount > 0)).toBe(true);
        }
      },
    ),
  );
});
