import { expect, test } from "vitest";
import { refusedMoves, staffMoves } from "#shared/domain/order/status/move-order.ts";
import {
  OrderStatus,
  allowedTransitions,
  orderMachine,
} from "#shared/domain/order/status/order-states.ts";
import { aCharge, aRecord } from "#test/support/shop/order-record.ts";

test.each(OrderStatus.options)(
  "of an order that is %s, every status that could follow is allowed or has a reason",
  (status) => {
    const record = aRecord({ status });
    for (const permissions of [["*"], []]) {
      const refused = refusedMoves(record, permissions);
      expect(new Set([...staffMoves(record, permissions), ...refused.map(({ to }) => to)])).toEqual(
        new Set(allowedTransitions(orderMachine, status)),
      );
      for (const { reason } of refused) expect(reason).toMatch(/\.$/);
    }
  },
);

test("staff move an order by hand only where no other step does", () => {
  const moves = OrderStatus.options.map((status) => [
    status,
    staffMoves(aRecord({ status, current: 0 }), ["*"]),
  ]);
  expect(Object.fromEntries(moves)).toEqual({
    pending_payment: ["cancelled"],
    confirmed: ["ready_to_dispatch", "cancelled"],
    in_production: ["ready_to_dispatch", "cancelled"],
    ready_to_dispatch: ["cancelled"],
    shipped: [],
    delivered: ["completed"],
    completed: [],
    expired: [],
    cancelled: [],
    returned: [],
  });
});

test("a paid order needs the permission to refund, and one that is due must be paid before it leaves", () => {
  const paid = aRecord({ status: "confirmed" }, { transactions: [aCharge({ amount: 100 })] });
  expect(refusedMoves(paid, ["orders.update"])).toContainEqual({
    to: "cancelled",
    code: "forbidden",
    reason: expect.stringContaining("orders.refund"),
  });
  const ready = aRecord({ status: "ready_to_dispatch", payment_method: "gateway" });
  expect(refusedMoves(ready, ["*"])).toMatchObject([{ to: "shipped", code: "balance_due" }]);
});
