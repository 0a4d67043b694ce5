import { expect, test } from "vitest";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import { smokeTag, type StoredOrder } from "#shared/domain/order/order.ts";
import { aCharge, aRecord } from "#test/support/shop/order-record.ts";

const tally = (order: Partial<StoredOrder>) =>
  orderTally(aRecord(order, { transactions: [aCharge()] }), "Asia/Kolkata");

test("a smoke test order that staff cancelled is excluded from all metrics", () => {
  expect(tally({ tags: [smokeTag], status: "cancelled", paid: 0 })).toEqual({});
});

test.each<[string, Partial<StoredOrder>]>([
  ["was paid before it was cancelled", { status: "cancelled", paid: 1_000 }],
  ["is a sale", { status: "confirmed", paid: 0 }],
  ["awaits its payment", { status: "pending_payment", paid: 0 }],
  ["has expired", { status: "expired", paid: 0 }],
])("the smoke test tag does not exclude an order from metrics if the order %s", (_what, order) => {
  expect(tally({ ...order, tags: [smokeTag] })).toEqual(tally({ ...order, tags: [] }));
  expect(tally({ ...order, tags: [smokeTag] })).not.toEqual({});
});
