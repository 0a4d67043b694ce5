import { describe, expect, test } from "vitest";
import { changeOf } from "#shared/domain/order-change.ts";
import { OrderStatus, allowedTransitions, orderMachine } from "#shared/domain/order-states.ts";
import type { StoredOrder } from "#shared/domain/order.ts";
import { changeOrder, countsAs } from "#shared/storage/order-changes.ts";
import { noon } from "#test/support/commerce.ts";
import { aRecord } from "#test/support/order-record.ts";

const counted = {
  buyers: ["email#asha@example.com", "phone#+919812345678"],
  coupon: ["all", "email#asha@example.com"],
};

/** What a move adds to counters, summed over all writes, by entity. */
function shifts(from: OrderStatus, to: OrderStatus, order: Partial<StoredOrder> = {}) {
  const record = aRecord({ status: from, coupon_code: "WELCOME10", counted, ...order });
  const { writes } = changeOrder(
    record.order,
    changeOf(record, { set: { status: to } }, noon),
    noon,
  );
  const sums: Record<string, Record<string, number>> = {};
  for (const write of writes) {
    if (write.kind !== "update") continue;
    const sum = (sums[write.entity.name] ??= {});
    for (const [member, by] of Object.entries(write.changes.add ?? {})) {
      sum[member] = (sum[member] ?? 0) + by;
    }
  }
  return sums;
}

describe("counters follow from the states around a change", () => {
  test("an order counts until it lapses or is cancelled, and as pending while it waits", () => {
    const those = (counts: (status: OrderStatus) => boolean) => OrderStatus.options.filter(counts);
    expect(those((status) => countsAs(status).orders === 0)).toEqual(["expired", "cancelled"]);
    expect(those((status) => countsAs(status).pending === 1)).toEqual(["pending_payment"]);
  });

  const edges = OrderStatus.options.flatMap((from) =>
    allowedTransitions(orderMachine, from).map((to) => [from, to] as const),
  );
  test.each(edges)("%s to %s", (from, to) => {
    const [was, is] = [countsAs(from), countsAs(to)];
    const [orders, pending] = [is.orders - was.orders, is.pending - was.pending];
    const { buyer, coupon_uses } = shifts(from, to);
    const keys = counted.buyers.length;
    expect(buyer ?? { orders: 0, pending: 0 }).toEqual({
      orders: keys * orders,
      pending: keys * pending,
    });
    expect(coupon_uses?.["uses"] ?? 0).toBe(counted.coupon.length * orders);
  });

  test("without a coupon, or counted under nothing, nothing is written", () => {
    expect(shifts("pending_payment", "cancelled", { coupon_code: null })).not.toHaveProperty(
      "coupon_uses",
    );
    const uncounted = { counted: { buyers: [], coupon: [] } };
    expect(shifts("pending_payment", "cancelled", uncounted)).toEqual({});
  });
});
