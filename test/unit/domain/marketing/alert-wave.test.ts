import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alertsInWave, currentWave, anyVariant } from "#shared/domain/marketing/product-alert.ts";
import { noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);
const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const ids = ["A", "B", "C"];
const unitsById = fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: 0, max: 5 }));
const sentById = fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: 1, max: 5 }));
const waiting = fc.array(
  fc.record({ variant_ids: fc.subarray([...ids, anyVariant], { minLength: 1 }) }),
  {
    maxLength: 20,
  },
);

describe("a day's wave of mails that a product is back in stock", () => {
  test("has at most one mail per unit, each to somebody who waits for a variant with units left", () => {
    fc.assert(
      fc.property(waiting, unitsById, sentById, (alerts, units, before) => {
        const { chosen, sent } = alertsInWave(alerts, units, before);
        const left = (id: string) => (units[id] ?? 0) - (sent[id] ?? 0);
        expect(sum(sent) - sum(before)).toBe(chosen.length);
        for (const id of ids) {
          expect(sent[id] ?? 0).toBeLessThanOrEqual(Math.max(units[id] ?? 0, before[id] ?? 0));
        }
        const others = alerts.filter((alert) => !chosen.includes(alert));
        for (const { variant_ids: wanted } of others) {
          const candidates = wanted.includes(anyVariant) ? ids : wanted;
          expect(candidates.every((id) => left(id) <= 0)).toBe(true);
        }
      }),
    );
  });

  test("goes to the oldest requests first", () => {
    const alerts = [
      { variant_ids: ["B"] },
      { variant_ids: ["A"] },
      { variant_ids: [anyVariant] },
      { variant_ids: ["A"] },
    ];
    expect(alertsInWave(alerts, { A: 2 }, {}).chosen).toEqual([alerts[1], alerts[2]]);
  });

  test("is continued on the same day, also when more units or other variants arrive", () => {
    const first = currentWave(undefined, "prd_1", noon);
    const wave = currentWave({ ...first, sent: { A: 2 } }, "prd_1", hours(23));
    expect(wave).toEqual({ ...first, sent: { A: 2 }, version: 2 });
    const alerts = [{ variant_ids: ["A"] }, { variant_ids: ["A"] }, { variant_ids: ["B"] }];
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
