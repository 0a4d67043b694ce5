import { describe, expect, test } from "vitest";
import { amountDue, amountToPay, type Owing, surplusOf } from "#shared/domain/payment/owing.ts";
import { paymentStatus, type Transaction } from "#shared/domain/payment/payment.ts";

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
    ["partially_refunded", "bank_transfer", [charge(120), refund(20)]],
    ["pending", "gateway", [charge(100), refund(100, "pending")]],
    ["paid", "gateway", [charge(100), refund(100, "failed")]],
    ["partially_paid", "gateway", [charge(100), refund(1)]],
    ["awaiting_transfer", "bank_transfer", [charge(40), refund(40)]],
  ] as const)("is %s for a payment by %s with the ledger %j", (expected, method, ledger) => {
    expect(paymentStatus(ledger, { method, current: 100 })).toBe(expected);
  });

  test.each([
    ["partially_refunded", 60, [charge(100), refund(40)]],
    ["partially_refunded", 60, [charge(100), refund(40, "pending")]],
    ["overpaid", 60, [charge(100)]],
    ["overpaid", 60, [charge(100), refund(40, "failed")]],
    ["refunded", 0, [charge(100), refund(100)]],
  ] as const)("is %s for an order of 100 that is worth %d with the ledger %j", (...example) => {
    const [expected, current, ledger] = example;
    expect(paymentStatus(ledger, { method: "gateway", current })).toBe(expected);
  });

  test.each(["gateway", "cod", "bank_transfer"] as const)(
    "of an ended order goes by what the shop keeps of a payment by %s",
    (method) => {
      for (const status of ["cancelled", "expired", "returned"] as const) {
        const of = (ledger: readonly Movement[], current = 0) =>
          paymentStatus(ledger, { method, current, status });
        expect(of([])).toBe("failed");
        expect(of([charge(100)])).toBe("overpaid");
        expect(of([charge(100)], 100)).toBe("paid");
        expect(of([charge(100), refund(40)], 60)).toBe("partially_refunded");
        expect(of([charge(100), refund(100)])).toBe("refunded");
      }
      expect(paymentStatus([], { method, current: 100, status: "delivered" })).not.toBe("failed");
    },
  );

  test.each(["gateway", "cod", "bank_transfer"] as const)(
    "is paid for an order with a total of zero and the method %s",
    (method) => {
      expect(paymentStatus([], { method, current: 0 })).toBe("paid");
    },
  );
});

describe("what is due", () => {
  const anOrder = (of: Partial<Owing> = {}) => ({
    payment_method: "gateway" as const,
    status: "confirmed" as const,
    totals: { grand_total: 100 },
    paid: 0,
    refunded: 0,
    deposit: null,
    ...of,
  });

  test("is what the order is worth less what was received, and the rest is a surplus", () => {
    const both = (of: Partial<Owing>) => [amountDue(anOrder(of)), surplusOf(anOrder(of))];
    expect(both({ current: 80, received: 30 })).toEqual([50, 0]);
    expect(both({ current: 80, received: 80 })).toEqual([0, 0]);
    expect(both({ current: 80, received: 100 })).toEqual([0, 20]);
    expect(both({ current: 80, received: 30, status: "expired" })).toEqual([0, 30]);
  });

  test("of an order of an earlier release is its total less what was paid", () => {
    expect(amountDue(anOrder({ paid: 40, refunded: 10 }))).toBe(70);
  });

  test("is asked for in parts: what confirms the order first", () => {
    const deposit = { amount: 20 };
    expect(amountToPay(anOrder({ status: "pending_payment", deposit }))).toBe(20);
    expect(amountToPay(anOrder({ status: "pending_payment", deposit, current: 15 }))).toBe(15);
    expect(amountToPay(anOrder({ status: "expired", deposit, received: 5 }))).toBe(15);
    expect(amountToPay(anOrder({ deposit, received: 20 }))).toBe(80);
    const addition = { amount: 30, due: "now" as const };
    expect(amountToPay(anOrder({ deposit, addition, received: 20 }))).toBe(30);
    expect(amountToPay(anOrder({ deposit, addition, received: 20, status: "shipped" }))).toBe(80);
  });
});
