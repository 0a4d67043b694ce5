import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import { Story, placed } from "#test/support/shop/order-story.ts";
import { someStep } from "#test/unit/domain/order/order-story-steps.ts";

/** Whether one of the written rows has the order counted again. */
function isRecounted(before: OrderRecord, after: OrderRecord): boolean {
  const pk = `ORDER#${after.order.id}`;
  const rowsOf = ({ order, rows }: OrderRecord) => [
    { entity: "order", ...order },
    ...rows.transactions.map((row) => ({ entity: "order_transaction", ...row })),
    ...rows.shipments.map((row) => ({ entity: "order_shipment", ...row })),
    ...rows.changes.map((row) => ({ entity: "order_change", ...row })),
    ...rows.returns.map((row) => ({ entity: "order_return", ...row })),
  ];
  const was = new Map(rowsOf(before).map((row) => [`${row.entity} ${row.id}`, row]));
  return rowsOf(after).some((row) => {
    const old = was.get(`${row.entity} ${row.id}`);
    return !isDeepStrictEqual(old, row) && messageTo("metrics", { pk, before: old, after: row });
  });
}

class CountedStory extends Story {
  override take(change: OrderChange | undefined): void {
    const before = this.record;
    super.take(change);
    const tally = (record: OrderRecord) => orderTally(record, "Asia/Kolkata");
    if (isRecounted(before, this.record)) return;
    expect(tally(this.record)).toEqual(tally(before));
  }
}

test("for any story, whatever changes what an order counts has it counted again", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(someStep, { maxLength: 30 }), (inCash, steps) => {
      const story = new CountedStory(
        placed([{ quantity: 3, line_total: 3_001, tax: 229 }], inCash, inCash ? null : 700),
      );
      for (const step of steps) step(story);
    }),
    { numRuns: 200 },
  );
});
