import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lowestPrice } from "#shared/domain/pricing/line-discount.ts";

test.each([
  [21_990, 1_000, 19_791],
  [999, 1_000, 900],
  [1, 9_999, 1],
  [21_990, 10_000, 0],
  [21_990, 0, 21_990],
])("%i with a discount of %i bps costs at least %i", (price, bps, lowest) => {
  expect(lowestPrice(price, bps)).toBe(lowest);
});

test("lines within the limit are within it together", () => {
  const line = fc.record({ price: fc.nat(10_000_000), quantity: fc.integer({ min: 1, max: 99 }) });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.nat(10_000), (lines, bps) => {
      const sum = (of: (price: number) => number) =>
        lines.reduce((total, { price, quantity }) => total + of(price) * quantity, 0);
      expect(sum((price) => lowestPrice(price, bps))).toBeGreaterThanOrEqual(
        lowestPrice(
          sum((price) => price),
          bps,
        ),
      );
    }),
  );
});
