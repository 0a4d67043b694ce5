import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alertsInWave, currentWave } from "#shared/domain/marketing/alert-wave.ts";
import { anySku } from "#shared/domain/marketing/product-alert.ts";
import { noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);
const sum = (left: Readonly<Record<string, number>>) =>
  Object.values(left).reduce((total, count) => total + count, 0);

const skus = ["A", "B", "C"];
const unitsBySku = fc.dictionary(fc.constantFrom(...skus), fc.integer({ min: 0, max: 5 }));
const waiting = fc.array(fc.record({ skus: fc.subarray([...skus, anySku], { minLength: 1 }) }), {
  maxLength: 20,
});

describe("a day's wave of mails that a product is back in stock", () => {
  test("has at most one mail per unit, each to somebody who waits for a SKU with units left", () => {
    fc.assert(
      fc.property(waiting, unitsBySku, (alerts, units) => {
        const { chosen, left } = alertsInWave(alerts, units);
        expect(sum(left) + chosen.length).toBe(sum(units));
        expect(Math.min(0, ...Object.values(left))).toBe(0);
        const others = alerts.filter((alert) => !chosen.includes(alert));
        for (const { skus } of others) {
          const rest = skus.includes(anySku) ? sum(left) : skus.map((sku) => left[sku] ?? 0);
          expect([rest].flat().every((count) => count === 0)).toBe(true);
        }
      }),
    );
  });

  test("goes to the oldest requests first", () => {
    const alerts = [{ skus: ["B"] }, { skus: ["A"] }, { skus: [anySku] }, { skus: ["A"] }];
    expect(alertsInWave(alerts, { A: 2 }).chosen).toEqual([alerts[1], alerts[2]]);
  });

  test("is continued on the same day with its remaining mails, at most one per unit still in stock", () => {
    const first = currentWave(undefined, "prd_1", { A: 5, B: 2 }, noon);
    const stored = { ...first, left: { A: 3, B: 0 } };
    expect(currentWave(stored, "prd_1", { A: 1, B: 9, C: 4 }, hours(23))).toMatchObject({
      started_at: first.started_at,
      left: { A: 1, B: 0 },
      version: 2,
    });
  });

  test("is followed by the next one after a day", () => {
    const first = currentWave(undefined, "prd_1", { A: 5 }, noon);
    expect(currentWave({ ...first, left: {} }, "prd_1", { A: 4 }, hours(24))).toMatchObject({
      started_at: hours(24).toISOString(),
      left: { A: 4 },
    });
  });
});
