import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineDiscount, discountOn, lowestPrice } from "#shared/domain/pricing/line-discount.ts";

const reason = "Display piece";

test.each([
  [999, { bps: 1_000 }, 99],
  [999, { amount: 100 }, 100],
  [999, { bps: 10_000 }, 999],
  [0, { bps: 5_000 }, 0],
])("%i with %o is lowered by %i", (subtotal, given, lowered) => {
  expect(discountOn(subtotal, LineDiscount.parse({ ...given, reason }))).toBe(lowered);
});

test("a share never goes below the lowest price that the same share allows", () => {
  fc.assert(
    fc.property(fc.nat(1e12), fc.integer({ min: 1, max: 10_000 }), (subtotal, bps) => {
      const discount = LineDiscount.parse({ bps, reason });
      expect(subtotal - discountOn(subtotal, discount)).toBe(lowestPrice(subtotal, bps));
    }),
  );
});

test.each([{ reason }, { bps: 1, amount: 1, reason }, { bps: 100 }])(
  "%o is no discount",
  (given) => {
    expect(LineDiscount.safeParse(given).success).toBe(false);
  },
);
