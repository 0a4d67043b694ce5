import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alertsInWave, currentWave } from "#shared/domain/marketing/alert-wave.ts";
import { anySku } from "#shared/domain/marketing/product-alert.ts";
import { noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);
const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const skus = ["A", "B", "C"];
const unitsBySku = fc.dictionary(fc.constantFrom(...skus), fc.integer({ min: 0, max: 5 }));
const sentBySku = fc.dictionary(fc.constantFrom(...skus), fc.integer({ min: 1, max: 5 }));
const waiting = fc.array(fc.record({ skus: fc.subarray([...skus, anySku], { minLength: 1 }) }), {
  maxLength: 20,
});

describe("a day's wave of mails that a product is back in stock", () => {
  test("has at most one mail per unit, each to somebody who waits for a SKU with units left", () => {
    fc.assert(
      fc.property(waiting, unitsBySku, sentBySku, (alerts, units, before) => {
        const { chosen, sent } = alertsInWave(alerts, units, before);
        const left = (sku: string) => (units[sku] ?? 0) - (sent[sku] ?? 0);
        expect(sum(sent) - sum(before)).toBe(chosen.length);
        for (const sku of skus) {
          expect(sent[sku] ?? 0).toBeLessThanOrEqual(Math.max(units[sku] ?? 0, before[sku] ?? 0));
        }
        const others = alerts.filter((alert) => !chosen.includes(alert));
        for (const { skus: wanted } of others) {
          const candidates = wanted.includes(anySku) ? skus : wanted;
          expect(candidates.every((sku) => left(sku) <= 0)).toBe(true);
        }
      }),
    );
  });

  test("goes to the oldest requests first", () => {
    const alerts = [{ skus: ["B"] }, { skus: ["A"] }, { skus: [anySku] }, { skus: ["A"] }];
    expect(alertsInWave(alerts, { A: 2 }, {}).chosen).toEqual([alerts[1], alerts[2]]);
  });

  test("is continued on the same day, also when more units or other SKUs arrive", () => {
    const first = currentWave(undefined, "prd_1", noon);
    const wave = currentWave({ ...first, sent: { A: 2 } }, "prd_1", hours(23));
    expect(wave).toEqual({ ...first, sent: { A: 2 }, version: 2 });
    const alerts = [{ skus: ["A"] }, { skus: ["A"] }, { skus: ["B"] }];
    expect(alertsInWave(alerts, { A: 2 }, wave.sent).chosen).toEqual([]);
    expect(alertsInWave(alerts, { A: 3, B: 1 }, wave.sent)).toEqual({
      chosen: [alerts[0], alerts[2]],
      sent: { A: 3, B: 1 },
    });
  });

  test("is followed by the next one after a day", () => {
    const first = currentWave(undefined, "prd_1", noon);
    expect(currentWave({ ...first, sent: { A: 5 } }, "prd_1", hours(24))).toMatchObject({
      started_at: hours(24).toISOString(),
      sent: {},
    });
  });
});
