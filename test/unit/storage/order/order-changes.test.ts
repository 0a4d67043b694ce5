import { describe, expect, test } from "vitest";
import { changeOf } from "#shared/domain/order/order-change.ts";
import {
  OrderStatus,
  allowedTransitions,
  orderMachine,
} from "#shared/domain/order/status/order-states.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { orderChangeWrites, countsAs } from "#shared/storage/order/order-changes.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aRecord } from "#test/support/shop/order-record.ts";

const counted = {
  buyers: ["email#asha@example.com", "phone#+919812345678"],
  open: ["email#asha@example.com"],
  coupon: ["all", "email#asha@example.com"],
};

/** The change of each counter that a transition causes, by entity: the sum over all writes. */
function shifts(from: OrderStatus, to: OrderStatus, order: Partial<StoredOrder> = {}) {
  const record = aRecord({ status: from, coupon_code: "WELCOME10", counted, ...order });
  const { writes } = orderChangeWrites(
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

describe("the counters of a buyer and a coupon", () => {
  const statesThat = (
    payment_method: PaymentMethod,
    counts: (count: ReturnType<typeof countsAs>) => boolean,
  ) =>
    OrderStatus.options.filter((status) =>
      counts(countsAs({ status, payment_method, deposit: null })),
    );

  test.each(PaymentMethod.options)(
    "include an order by %s until it expires or is cancelled, and count it as pending while it awaits payment",
    (method) => {
      expect(statesThat(method, ({ orders }) => orders === 0)).toEqual(["expired", "cancelled"]);
      expect(statesThat(method, ({ pending }) => pending === 1)).toEqual(["pending_payment"]);
    },
  );

  test("count an order as open while it awaits payment, or until it is shipped if it is paid by cash on delivery", () => {
    for (const method of ["gateway", "bank_transfer"] as const) {
      expect(statesThat(method, ({ open }) => open === 1)).toEqual(["pending_payment"]);
    }
    expect(statesThat("cod", ({ open }) => open === 1)).toEqual([
      "pending_payment",
      "confirmed",
      "in_production",
      "ready_to_dispatch",
    ]);
  });

  const edges = OrderStatus.options.flatMap((from) =>
    allowedTransitions(orderMachine, from).flatMap((to) =>
      PaymentMethod.options.map((method) => [from, to, method] as const),
    ),
  );
  test.each(edges)(
    "change by the difference when an order changes from %s to %s, with the payment method %s",
    (from, to, payment_method) => {
      const was = countsAs({ status: from, payment_method, deposit: null });
      const is = countsAs({ status: to, payment_method, deposit: null });
      const [orders, pending] = [is.orders - was.orders, is.pending - was.pending];
      const { buyer, coupon_uses } = shifts(from, to, { payment_method });
      const keys = counted.buyers.length;
      expect(buyer ?? { orders: 0, pending: 0, open: 0 }).toEqual({
        orders: keys * orders,
        pending: keys * pending,
        open: counted.open.length * (is.open - was.open),
      });
      expect(coupon_uses?.["uses"] ?? 0).toBe(counted.coupon.length * orders);
    },
  );

  test("are not written for an order without a coupon or counters", () => {
    expect(shifts("pending_payment", "cancelled", { coupon_code: null })).not.toHaveProperty(
      "coupon_uses",
    );
    const uncounted = { counted: { buyers: [], open: [], coupon: [] } };
    expect(shifts("pending_payment", "cancelled", uncounted)).toEqual({});
  });
});
