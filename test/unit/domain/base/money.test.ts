import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  roundHalfEven,
  shareOf,
  splitByLargestRemainder,
  writtenAmount,
} from "#shared/domain/base/money.ts";

const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);

describe("integer division that rounds half to even", () => {
  test.each([
    [5, 10, 0],
    [15, 10, 2],
    [25, 10, 2],
    [35, 10, 4],
    [26, 10, 3],
    [24, 10, 2],
    [-15, 10, -2],
    [-25, 10, -2],
    [0, 7, 0],
  ])("turns %i / %i into %i", (numerator, denominator, expected) => {
    expect(roundHalfEven(numerator, denominator)).toBe(expected);
  });

  test("differs from the exact quotient by at most half, and a tie becomes even", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 1_000_000_000 }), (n, d) => {
        const rounded = BigInt(roundHalfEven(n, d));
        const twiceOff = 2n * (BigInt(n) - rounded * BigInt(d));
        const distance = twiceOff < 0n ? -twiceOff : twiceOff;
        expect(distance <= BigInt(d)).toBe(true);
        if (distance === BigInt(d)) expect(rounded % 2n).toBe(0n);
      }),
    );
  });

  test("is exact above 2^53", () => {
    expect(shareOf(999_999_999_995, 9_999)).toBe(999_899_999_995);
    expect(shareOf(1_000_000_000_000, 100_000)).toBe(10_000_000_000_000);
  });
});

test("an amount is formatted with the decimals that ISO 4217 gives its currency", () => {
  expect(writtenAmount(4_599_000, "INR", "en-IN")).toBe("₹45,990.00");
  expect(writtenAmount(4_599_000, "HUF", "en")).toBe("HUF\u00A045,990.00");
  expect(writtenAmount(45_990, "JPY", "en")).toBe("¥45,990");
});

describe("splitting an amount by largest remainder", () => {
  const weights = fc.array(amount, { minLength: 1, maxLength: 50 }).filter((list) => sum(list) > 0);

  test("returns parts that add up to the total, each within one unit of its exact share", () => {
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        const parts = splitByLargestRemainder(total, list);
        expect(sum(parts)).toBe(total);
        const all = BigInt(sum(list));
        for (const [index, part] of parts.entries()) {
          const floor = (BigInt(total) * BigInt(list[index]!)) / all;
          expect(BigInt(part) - floor === 0n || BigInt(part) - floor === 1n).toBe(true);
        }
      }),
    );
  });

  test("returns no part above its weight if the total is at most the sum of the weights", () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 10_000 }), (list, bps) => {
        const parts = splitByLargestRemainder(shareOf(sum(list), bps), list);
        for (const [index, part] of parts.entries()) expect(part).toBeLessThanOrEqual(list[index]!);
      }),
    );
  });

  test("favours earlier parts if remainders are equal", () => {
    expect(splitByLargestRemainder(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitByLargestRemainder(5, [1, 0, 1])).toEqual([3, 0, 2]);
  });

  test("returns zeros for a total of zero, and throws RangeError when the total is positive but all weights are zero", () => {
    expect(splitByLargestRemainder(0, [0, 0])).toEqual([0, 0]);
    expect(splitByLargestRemainder(0, [])).toEqual([]);
    expect(() => splitByLargestRemainder(1, [0])).toThrow(RangeError);
  });
});
