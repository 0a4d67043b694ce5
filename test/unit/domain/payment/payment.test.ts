import { describe, expect, test } from "vitest";
import type { OrderStatus } from "#shared/domain/order/order-states.ts";
import { amountDue, paymentStatus, type Transaction } from "#shared/domain/payment/payment.ts";

type Movement = Pick<Transaction, "type" | "state" | "amount">;
const charge = (amount: number, state: Movement["state"] = "succeeded"): Movement => ({
  type: "charge",
  state,
  amount,
});
const refund = (amount: number, state: Movement["state"] = "succeeded"): Movement => ({
  type: "refund",
  state,
  amount,
});

describe("the payment status of an order", () => {
  test.each([
    ["pending", "gateway", []],
    ["pending", "gateway", [charge(100, "pending")]],
    ["failed", "gateway", [charge(100, "failed")]],
    ["pending", "gateway", [charge(100, "failed"), charge(100, "pending")]],
    ["cod_pending", "cod", []],
    ["awaiting_transfer", "bank_transfer", []],
    ["awaiting_transfer", "bank_transfer", [charge(100, "failed")]],
    ["partially_paid", "bank_transfer", [charge(40)]],
    ["paid", "bank_transfer", [charge(40), charge(60)]],
    ["paid", "gateway", [charge(100, "failed"), charge(100)]],
    ["overpaid", "bank_transfer", [charge(101)]],
    ["paid", "bank_transfer", [charge(120), refund(20)]],
    ["paid", "gateway", [charge(100), refund(100, "pending")]],
    ["partially_refunded", "gateway", [charge(100), refund(1)]],
    ["refunded", "gateway", [charge(100), refund(60), refund(40)]],
    ["refunded", "bank_transfer", [charge(40), refund(40)]],
  ] as const)("is %s for a payment by %s with the ledger %j", (expected, method, ledger) => {
    expect(paymentStatus(ledger, method, 100)).toBe(expected);
  });

  test.each(["gateway", "cod", "bank_transfer"] as const)(
    "does not await a payment by %s once the order is cancelled, expired or returned",
    (method) => {
      for (const status of ["cancelled", "expired", "returned"] as const) {
        expect(paymentStatus([], method, 100, status)).toBe("failed");
        expect(paymentStatus([charge(100)], method, 100, status)).toBe("paid");
        expect(paymentStatus([charge(100), refund(100)], method, 100, status)).toBe("refunded");
      }
      expect(paymentStatus([], method, 100, "delivered")).not.toBe("failed");
    },
  );

  test.each(["gateway", "cod", "bank_transfer"] as const)(
    "is paid for an order with a total of zero and the method %s",
    (method) => {
      expect(paymentStatus([], method, 0)).toBe("paid");
    },
  );
});

describe("the amount due", () => {
  const due = (status: OrderStatus, paid: number, refunded = 0) =>
    amountDue({ status, totals: { grand_total: 100 }, paid, refunded, deposit: null });

  test("is never negative", () => {
    expect(due("confirmed", 30)).toBe(70);
    expect(due("confirmed", 130)).toBe(0);
  });

  test("increases by refunds only while the order awaits payment", () => {
    expect(due("pending_payment", 40, 40)).toBe(100);
    expect(due("confirmed", 100, 40)).toBe(0);
  });
});
