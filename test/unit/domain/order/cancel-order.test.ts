import { describe, expect, test } from "vitest";
import { type Canceller, cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { type Transaction, charge, receivedIn } from "#shared/domain/payment/payment.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const context = { newTransactionId: () => "txn_2", now: noon };
const recordOf = (transactions: Transaction[], status: OrderStatus = "confirmed"): OrderRecord => ({
  order: { ...aPlacedOrder(), status },
  rows: { timeline: [], shipments: [], changes: [], returns: [], transactions },
});
const cancelling = (status: OrderStatus, by: Canceller) =>
  cancelOrder(recordOf([], status), by, context).kind;

const movement = (overrides: Partial<Transaction>): Transaction => ({
  ...charge({
    id: "txn_1",
    state: "succeeded",
    amount: 1_000,
    method: "bank_transfer",
    provider_ref: null,
    at: noon.toISOString(),
  }),
  ...overrides,
});

describe("cancelling an order", () => {
  test("is permitted to a customer until production or packing starts, and to staff until the order is shipped", () => {
    const may = (by: Canceller) =>
      OrderStatus.options.filter((status) => cancelling(status, by) === "cancelled");
    expect(may("customer")).toEqual(["pending_payment", "confirmed"]);
    expect(may("staff")).toEqual([
      "pending_payment",
      "confirmed",
      "in_production",
      "ready_to_dispatch",
    ]);
  });

  test("is refused to a customer once a shipment is packed", () => {
    const { order, rows } = recordOf([]);
    const shipment = {
      id: "shp_1",
      items: [{ id: order.items[0]?.id ?? "", quantity: 1 }],
      carrier: null,
      tracking_number: null,
      tracking_url: null,
      dispatched_at: null,
      delivered_at: null,
      slot: null,
    };
    const kindWith = (status: "pending" | "packed", by: Canceller) =>
      cancelOrder({ order, rows: { ...rows, shipments: [{ ...shipment, status }] } }, by, context)
        .kind;
    expect(kindWith("pending", "customer")).toBe("cancelled");
    expect(kindWith("packed", "customer")).toBe("refused");
    expect(kindWith("packed", "staff")).toBe("cancelled");
  });

  test("is idempotent", () => {
    expect(cancelling("cancelled", "customer")).toBe("already");
    expect(cancelling("cancelled", "staff")).toBe("already");
  });
});

describe("the refund of a cancelled order", () => {
  test("is zero if no payment was received", () => {
    expect(cancelOrder(recordOf([]), "customer", context)).toMatchObject({
      change: { transactions: [], order: { status: "cancelled", version: 2 } },
    });
  });

  test("is the captured amount minus completed and pending refunds", () => {
    const ledger = [
      movement({}),
      movement({ id: "txn_f", state: "failed", amount: 5_000 }),
      ...(["succeeded", "pending", "failed"] as const).map((state, index) =>
        movement({
          id: `txn_r${index}`,
          type: "refund",
          state,
          amount: 200 + 100 * index,
          charge_id: "txn_1",
        }),
      ),
    ];
    expect(receivedIn(ledger)).toBe(500);
    expect(cancelOrder(recordOf(ledger), "customer", context)).toMatchObject({
      change: {
        transactions: [
          { id: "txn_2", type: "refund", state: "pending", amount: 500, charge_id: "txn_1" },
        ],
        order: { paid: 1_000, refunded: 200, attention: [{ code: "refund_to_make" }] },
      },
    });
  });
});
