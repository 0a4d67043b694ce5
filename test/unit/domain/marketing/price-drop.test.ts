import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PriceWatch,
  announcedPrices,
  correctedPrices,
  droppedPrices,
  followedPrices,
  quietUntil,
  steadyAt,
} from "#shared/domain/marketing/price-drop.ts";
import { anyVariant } from "#shared/domain/marketing/product-alert.ts";
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

const onePrice = (price: number) => ({ variants: [{ id: "A", price }] });
const alertAt = (price: number, minute = 0) => ({
  variant_ids: ["A"],
  reference_prices: { A: { price, at: minutes(minute) } },
});

describe("a price drop", () => {
  test("is announced only if it is at least the configured share of the price that the person last saw", () => {
    const alert = alertAt(10_000);
    expect(droppedPrices(alert, onePrice(9_501), 500)).toEqual({});
    expect(droppedPrices(alert, onePrice(9_500), 500)).toEqual({ A: 9_500 });
    expect(droppedPrices(alert, onePrice(10_000), 0)).toEqual({});
  });

  test("is announced for each variant that costs less than its own reference price, and for no other", () => {
    const variants = [
      { id: "A", price: 8_000 },
      { id: "B", price: 5_000 },
    ];
    const at = minutes(0);
    const reference_prices = {
      A: { price: 10_000, at },
      B: { price: 5_000, at },
      [anyVariant]: { price: 5_000, at },
    };
    const variant_ids = ["A", "B", anyVariant, "gone"];
    expect(droppedPrices({ variant_ids, reference_prices }, { variants }, 500)).toEqual({
      A: 8_000,
    });
  });

  test("is mailed at most once in seven days", () => {
    expect(quietUntil({ letter_at: minutes(0) })).toBe(minutes(7 * 24 * 60));
    expect(quietUntil({ letter_at: null }) < minutes(0)).toBe(true);
  });

  test("is never announced for a price that is not lower", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), fc.nat(10_000), (seen, price, bps) => {
        const dropped = droppedPrices(alertAt(seen), onePrice(price), bps);
        const isEnough = price < seen && (seen - price) * 10_000 >= seen * bps;
        expect(dropped).toEqual(isEnough ? { A: price } : {});
      }),
    );
  });
});

describe("the prices in a mail about several variants", () => {
  const variants = [
    { id: "A", price: 8_000 },
    { id: "B", price: 5_000 },
    { id: "C", price: 7_000 },
  ];
  const letter_at = minutes(100);
  const mailed = { at: letter_at };
  const seen = { price: 5_000, at: minutes(0) };

  test("are those of the variants whose drop was announced, the lowest first", () => {
    const reference_prices = { A: { ...mailed, price: 8_000 }, B: seen };
    const ofA = { variant_id: "A", price: 8_000 };
    expect(announcedPrices({ reference_prices, letter_at }, { variants })).toEqual([ofA]);
    const two = { ...reference_prices, C: { ...mailed, price: 7_000 } };
    expect(announcedPrices({ reference_prices: two, letter_at }, { variants })).toEqual([
      { variant_id: "C", price: 7_000 },
      ofA,
    ]);
  });

  test("are none if every announced price has been raised since", () => {
    const reference_prices = { A: { ...mailed, price: 7_999 }, B: seen };
    expect(announcedPrices({ reference_prices, letter_at }, { variants })).toEqual([]);
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
    const since = minutes(200);
    const brief = { brief: watch?.brief ?? [], since };
    const seen = (minute: number) => alertAt(9_000, minute);
    const corrected = (minute: number, price: number) =>
      correctedPrices(seen(minute), onePrice(price), brief)["A"];
    expect(corrected(105, 1_000)).toEqual({ price: 1_000, at: since });
    expect(corrected(99, 1_000)).toEqual({ price: 9_000, at: minutes(99) });
    expect(corrected(110, 1_000)).toEqual({ price: 9_000, at: minutes(110) });
  });

  test("is compared with once: later drops are announced, even if the price of the request was right", () => {
    const periods = { brief: watch?.brief ?? [], since: minutes(110) };
    const reference_prices = correctedPrices(alertAt(9_000, 105), onePrice(9_700), periods);
    expect(reference_prices).toEqual({ A: { price: 9_000, at: minutes(110) } });
    const kept = { variant_ids: ["A"], reference_prices };
    expect(correctedPrices(kept, onePrice(8_000), periods)).toBe(reference_prices);
    expect(droppedPrices(kept, onePrice(8_000), 500)).toEqual({ A: 8_000 });
  });
});
