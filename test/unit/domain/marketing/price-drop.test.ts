import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PriceWatch,
  correctedPrice,
  followedPrices,
  mayBeToldAt,
  steadyAt,
} from "#shared/domain/marketing/price-drop.ts";
import { aProduct, aVariant } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";

const minutes = (count: number) => new Date(noon.getTime() + count * 60_000).toISOString();

const at = (price: number, version: number, minute: number) =>
  aProduct({
    variants: [aVariant({ price })],
    version,
    published_at: minutes(0),
    updated_at: minutes(minute),
  });

describe("the prices of a watched product", () => {
  test("are dated from their last change; other changes of the product do not count", () => {
    const first = followedPrices(undefined, at(1_000, 1, 0));
    const same = followedPrices(first, at(1_000, 2, 10));
    expect(same).toMatchObject({ since: minutes(0), product_version: 2 });
    const lower = followedPrices(same, at(900, 3, 20));
    expect([lower.since, steadyAt(lower)]).toEqual([minutes(20), minutes(80)]);
    expect(followedPrices(lower, at(900, 3, 20))).toBe(lower);
  });

  test("count as new if the consumer missed a version of the product, because they may have changed and changed back", () => {
    const first = followedPrices(undefined, at(1_000, 1, 0));
    expect(followedPrices(first, at(1_000, 3, 50)).since).toBe(minutes(50));
  });
});

describe("a price drop", () => {
  const alert = { told_price: 10_000, letter_at: null };

  test("is mailed only if it is at least the configured share of the price that the person was last told", () => {
    expect(mayBeToldAt(alert, 9_501, 500)).toBeNull();
    expect(mayBeToldAt(alert, 9_500, 500)).not.toBeNull();
    expect(mayBeToldAt(alert, 10_000, 0)).toBeNull();
  });

  test("is mailed at most once in seven days", () => {
    const told = { told_price: 10_000, letter_at: minutes(0) };
    expect(mayBeToldAt(told, 5_000, 500)).toBe(minutes(7 * 24 * 60));
  });

  test("is never mailed for a price that is not lower", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), fc.nat(10_000), (told, price, bps) => {
        if (mayBeToldAt({ told_price: told, letter_at: null }, price, bps) === null) return;
        expect(price).toBeLessThan(told);
        expect((told - price) * 10_000).toBeGreaterThanOrEqual(told * bps);
      }),
    );
  });
});

describe("a price that lasted less than an hour", () => {
  const watch = [at(1_000, 1, 0), at(9_000, 2, 100), at(1_000, 3, 110), at(800, 4, 200)].reduce(
    followedPrices,
    undefined as PriceWatch | undefined,
  );

  test("is stored as a brief price, unless it is the product's first price", () => {
    expect(watch?.brief).toEqual([{ from: minutes(100), to: minutes(110) }]);
    const soon = followedPrices(followedPrices(undefined, at(1_000, 1, 0)), at(900, 2, 5));
    expect(soon.brief).toEqual([]);
  });

  test("counts as a typing error only for people who requested an alert during that time", () => {
    const told = (minute: number) => ({
      told_price: 9_000,
      told_at: minutes(minute),
      letter_at: null,
    });
    const brief = { brief: watch?.brief ?? [] };
    expect(correctedPrice(told(105), 1_000, brief)).toBe(1_000);
    expect(correctedPrice(told(105), 10_000, brief)).toBe(9_000);
    expect(correctedPrice(told(99), 1_000, brief)).toBe(9_000);
    expect(correctedPrice(told(110), 1_000, brief)).toBe(9_000);
    expect(correctedPrice({ ...told(105), letter_at: minutes(105) }, 1_000, brief)).toBe(9_000);
  });
});
