import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type NamedMetric, namesIn } from "#shared/domain/metrics/metrics.ts";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import { Story, placed } from "#test/support/shop/order-story.ts";
import { someStep } from "#test/unit/domain/order/order-story-steps.ts";

const things = [
  { product_id: "prd_1", sofa_id: null },
  { product_id: null, sofa_id: "sofa_1" },
  { product_id: null, sofa_id: null },
];
const someLine = fc.record({
  thing: fc.constantFrom(...things),
  quantity: fc.integer({ min: 1, max: 4 }),
  line_total: fc.integer({ min: 100, max: 5_000 }),
});

/** An order of products, sofas and custom items, sold by a channel. */
function anOrder(
  lines: readonly (typeof someLine extends fc.Arbitrary<infer Line> ? Line : never)[],
) {
  const { order, rows } = placed(
    lines.map(({ quantity, line_total }) => ({ quantity, line_total, tax: 10 })),
    true,
    null,
  );
  const items = order.items.map((item, index) => ({ ...item, ...lines[index]?.thing }));
  return { order: { ...order, items, channel: "phone" as const }, rows };
}

test("for any story, the parts of every report on sales sum to its whole", () => {
  const stories = [
    fc.array(someLine, { minLength: 1, maxLength: 4 }),
    fc.array(someStep, { maxLength: 20 }),
  ] as const;
  fc.assert(
    fc.property(...stories, (lines, steps) => {
      const story = new Story(anOrder(lines));
      for (const step of steps) step(story);
      const tally = Object.entries(orderTally(story.record, "Asia/Kolkata"));
      const sumOf = (topic: string, metric: string) =>
        tally.reduce(
          (sum, [row, metrics]) => sum + (row.startsWith(`${topic}#`) ? (metrics[metric] ?? 0) : 0),
          0,
        );
      /** The sum over all names. A row of products stands for a day, and one for its month. */
      const partsOf = (topic: string, kind: NamedMetric) =>
        tally
          .filter(
            ([row]) => row.startsWith(`${topic}#`) && row.length === `${topic}#2026-11-21`.length,
          )
          .flatMap(([, metrics]) => namesIn(metrics, kind))
          .reduce((sum, [, metric]) => sum + metric, 0);
      const whole = (metric: string) => sumOf("sales", metric);
      expect(partsOf("products", "sold")).toBe(whole("units"));
      expect(partsOf("products", "revenue")).toBe(whole("revenue") - whole("shipping"));
      expect(partsOf("products", "returned")).toBe(whole("returned"));
      expect(partsOf("sales", "returnedFor")).toBe(whole("returned"));
      expect(partsOf("sales", "returnedBy")).toBe(whole("returned"));
      expect(partsOf("sales", "channelOrders")).toBe(whole("orders"));
      expect(partsOf("sales", "channelRevenue")).toBe(whole("revenue"));
    }),
    { numRuns: 200 },
  );
});
