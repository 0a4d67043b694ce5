import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  cashFor,
  cashRefund,
  cashStepOf,
  chargeFor,
  roundToStep,
  roundedBy,
  roundingAfter,
} from "#shared/domain/payment/rounding.ts";

const inRupees = { currency: "INR", rounding: 0, cash_rounding: 100 };
const inDinars = { currency: "KWD", rounding: 0, cash_rounding: 1 };

test.each([
  [14, 100, 0],
  [49, 100, 0],
  [50, 100, 100],
  [8_614, 100, 8_600],
  [8_650, 100, 8_700],
  [3, 5, 5],
  [2, 5, 0],
  [25, 50, 50],
  [7, 1, 7],
])("%i in steps of %i is %i", (amount, step, rounded) => {
  expect(roundToStep(amount, step)).toBe(rounded);
});

test("cash is rounded as is usual in the currency, unless the shop says otherwise", () => {
  const steps = ["INR", "CHF", "SEK", "NOK", "DKK", "CZK", "EUR"].map((code) =>
    cashStepOf(code, null),
  );
  expect(steps).toEqual([100, 5, 100, 100, 50, 100, 1]);
  expect(cashStepOf("EUR", 5)).toBe(5);
});

test("a dinar of 1,000 fils is charged in tens: a whole to the nearest, a part so that it is enough", () => {
  expect(chargeFor(inDinars, 1_234_564, true)).toBe(1_234_560);
  expect(chargeFor(inDinars, 1_234_565, true)).toBe(1_234_570);
  expect(chargeFor(inDinars, 1_234_561, false)).toBe(1_234_570);
  expect(chargeFor(inRupees, 1_234_561, true)).toBe(1_234_561);
  const charge = { amount: 1_234_560, method: "gateway", tender: null } as const;
  expect(roundingAfter(inDinars, charge, 1_234_564)).toEqual(roundedBy(-4));
});

test("cash of exactly the rounded amount settles what is due, and never by more than one step", () => {
  const step = fc.constantFrom(1, 5, 50, 100);
  const goods = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(step, goods, fc.integer({ min: 0, max: 100_000 }), (cash_rounding, worth, got) => {
      const order = { currency: "INR", rounding: 0, cash_rounding };
      const due = worth - got;
      const amount = cashFor(order, due);
      expect(amount % cash_rounding).toBe(0);
      if (due <= 0) {
        expect(amount).toBe(0);
        return;
      }
      const cash = { amount, tender: "cash", method: "cod" } as const;
      const { rounding = NaN } = roundingAfter(order, cash, due);
      expect(worth + rounding).toBe(got + amount);
      expect(2 * Math.abs(rounding)).toBeLessThanOrEqual(cash_rounding);
      const again = cashFor({ ...order, rounding }, 7_777 + rounding);
      expect(again).toBe(cashFor(order, 7_777));
      const other = { amount: due + amount + 1, tender: "cash", method: "cod" } as const;
      expect(roundingAfter(order, other, due)).toEqual({});
    }),
  );
});

test("a refund in cash leaves what was received equal to what the order is worth", () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (goods, more) => {
      const received = goods + more;
      const { amount, rounding } = cashRefund(inRupees, { goods, received });
      expect(received - amount).toBe(goods + rounding);
      expect(amount).toBeLessThanOrEqual(received);
      expect(Math.abs(rounding)).toBeLessThan(100);
      if (goods === 0) expect([amount, rounding]).toEqual([received, 0]);
    }),
  );
});
