import { describe, expect, test } from "vitest";
import { type Canceller, cancelOrder } from "#shared/domain/cancel-order.ts";
import { OrderStatus } from "#shared/domain/order-states.ts";
import { type Transaction, refundDue } from "#shared/domain/payment.ts";
import { noon } from "#test/support/commerce.ts";
import { aPlacedOrder } from "#test/support/placed-order.ts";

const given = { refundId: "txn_2", now: noon };
const cancelling = (status: OrderStatus, by: Canceller) =>
  cancelOrder({ ...aPlacedOrder(), status }, [], by, given).kind;

const movement = (overrides: Partial<Transaction>): Transaction => ({
  id: "txn_1",
  type: "charge",
  state: "succeeded",
  amount: 1_000,
  method: "bank_transfer",
  provider_ref: null,
  at: noon.toISOString(),
  ...overrides,
});

describe("who may cancel", () => {
  test("a customer until somebody begins to build or pack, staff until it is shipped", () => {
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

  test("a repeat is nothing to either", () => {
    expect(cancelling("cancelled", "customer")).toBe("already");
    expect(cancelling("cancelled", "staff")).toBe("already");
  });
});

describe("what a cancelled order owes", () => {
  test("is nothing where nothing was paid", () => {
    const outcome = cancelOrder(aPlacedOrder(), [], "customer", given);
    expect(outcome).toMatchObject({ refund: null, order: { status: "cancelled", version: 2 } });
  });

  test("is what was captured and is neither given back nor about to be", () => {
    const ledger = [
      movement({}),
      movement({ state: "failed", amount: 5_000 }),
      movement({ type: "refund", amount: 200 }),
      movement({ type: "refund", state: "pending", amount: 300 }),
      movement({ type: "refund", state: "failed", amount: 400 }),
    ];
    expect(refundDue(ledger)).toBe(500);
    expect(cancelOrder(aPlacedOrder(), ledger, "customer", given)).toMatchObject({
      refund: { id: "txn_2", type: "refund", state: "pending", amount: 500 },
    });
  });
});
