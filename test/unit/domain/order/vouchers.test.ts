import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeOf } from "#shared/domain/order/order-change.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { advancesOf } from "#shared/domain/order/invoice/vouchers.ts";
import type { LedgerRow } from "#shared/domain/payment/payment.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aCharge, aDeposit, aRecord, aRefund, after } from "#test/support/shop/order-record.ts";

/** A waiting order of 1,000 whose deposit is 200. */
const waiting = (deposit = aDeposit()): OrderRecord => {
  const { order, rows } = aRecord({ status: "pending_payment", deposit });
  return { order: { ...order, totals: { ...order.totals, grand_total: 1_000 } }, rows };
};

const step = (
  record: OrderRecord,
  transactions: readonly LedgerRow[],
  set: Partial<Pick<StoredOrder, "status" | "supplied">> = {},
): OrderRecord => after(record, changeOf(record, { transactions, set }, noon));

const paid = aCharge({ amount: 200 });
const confirmed = (deposit = aDeposit()) => step(waiting(deposit), [paid], { status: "confirmed" });
const refund = (id: string, amount: number, state: LedgerRow["state"] = "succeeded") =>
  aRefund({ id, amount, state });
const vouchersOf = (record: OrderRecord) =>
  advancesOf(record).map(({ id, type, amount }) => `${type} ${amount} ${id}`);
const receipt = "receipt_voucher 200 txn_charge";

describe("the receipt of a deposit", () => {
  test("belongs to the charge that confirms the order", () => {
    const first = aCharge({ id: "txn_first", amount: 150 });
    const partly = step(waiting(), [first]);
    expect(vouchersOf(partly)).toEqual([]);
    const rest = aCharge({ amount: 50 });
    expect(vouchersOf(step(partly, [rest], { status: "confirmed" }))).toEqual([receipt]);
  });

  test("does not exist where the shop issues no vouchers, and for orders that are paid at once", () => {
    const without = aDeposit({ has_vouchers: false });
    const cancelled = step(confirmed(without), [refund("txn_1", 200)], { status: "cancelled" });
    expect(vouchersOf(cancelled)).toEqual([]);
    const atOnce = aRecord({ status: "pending_payment" });
    expect(vouchersOf(step(atOnce, [paid], { status: "confirmed" }))).toEqual([]);
  });

  test("is the deposit, also if more was paid", () => {
    const all = step(waiting(), [aCharge({ amount: 1_000 })], { status: "confirmed" });
    expect(vouchersOf(all)).toEqual([receipt]);
  });

  test("does not exist for money of an order that was cancelled before", () => {
    const cancelled = step(waiting(), [], { status: "cancelled" });
    const late = step(step(cancelled, [paid]), [refund("txn_1", 200)]);
    expect(vouchersOf(late)).toEqual([]);
  });
});

describe("the refund of a deposit", () => {
  test("has a voucher as soon as it is made, not while it is pending", () => {
    const asked = step(confirmed(), [refund("txn_1", 200, "pending")], { status: "cancelled" });
    expect(vouchersOf(asked)).toEqual([receipt]);
    const made = step(asked, [refund("txn_1", 200)]);
    expect(vouchersOf(made)).toEqual([receipt, "refund_voucher 200 txn_1"]);
  });

  test("begins when less money than the deposit is left", () => {
    const balance = aCharge({ id: "txn_balance", amount: 800 });
    const cancelled = step(step(confirmed(), [balance]), [], { status: "cancelled" });
    const first = step(cancelled, [refund("txn_1", 500)]);
    expect(vouchersOf(first)).toEqual([receipt]);
    const second = step(first, [refund("txn_2", 450)]);
    expect(vouchersOf(second)).toEqual([receipt, "refund_voucher 150 txn_2"]);
    const last = step(second, [refund("txn_3", 50)]);
    expect(vouchersOf(last)).toEqual([
      receipt,
      "refund_voucher 150 txn_2",
      "refund_voucher 50 txn_3",
    ]);
  });

  test("has no second voucher if it failed and was repeated", () => {
    const made = step(confirmed(), [refund("txn_1", 200)], { status: "cancelled" });
    const [, row] = made.rows.transactions;
    const failed = step(made, [{ ...row!, state: "failed" }]);
    const repeated = step(failed, [refund("txn_2", 200)]);
    expect(vouchersOf(repeated)).toEqual([receipt, "refund_voucher 200 txn_1"]);
  });

  test("that was made before the order was cancelled gets its voucher then", () => {
    const lowered = step(confirmed(), [refund("txn_1", 60)]);
    expect(vouchersOf(lowered)).toEqual([receipt]);
    const cancelled = step(lowered, [], { status: "cancelled" });
    expect(vouchersOf(cancelled)).toEqual([receipt, "refund_voucher 60 txn_1"]);
  });

  test("has vouchers that add up to what is missing of the deposit, whatever is paid, refunded and fails", () => {
    const movement = fc.record({
      type: fc.constantFrom("charge" as const, "refund" as const),
      share: fc.integer({ min: 1, max: 100 }),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(movement, { maxLength: 12 }), (movements) => {
        let record = step(confirmed(), [], { status: "cancelled" });
        let least = 200;
        for (const [index, { type, share, fails }] of movements.entries()) {
          const { paid: received, refunded } = record.order;
          const kept = received - refunded;
          const amount = type === "charge" ? share : Math.min(kept, share);
          if (amount === 0) continue;
          const row = { ...refund(`txn_${index}`, amount), type };
          record = step(record, [row]);
          least = Math.min(least, record.order.paid - record.order.refunded);
          // A refund that was made may still bounce.
          const stored = record.rows.transactions.find(({ id }) => id === row.id);
          if (type === "refund" && fails) record = step(record, [{ ...stored!, state: "failed" }]);
          const returned = advancesOf(record)
            .filter((advance) => advance.type === "refund_voucher")
            .reduce((sum, advance) => sum + advance.amount, 0);
          expect(returned).toBe(200 - least);
        }
      }),
    );
  });

  test("has no voucher if an invoice follows or exists", () => {
    const supplied = { lines: [], shipping: { amount: 0, taxes: [] } };
    const shipped = step(confirmed(), [], { supplied });
    expect(vouchersOf(step(shipped, [refund("txn_1", 200)]))).toEqual([receipt]);
    const { order, rows } = confirmed();
    const returned = { order: { ...order, status: "returned" as const, supplied }, rows };
    expect(vouchersOf(step(returned, [refund("txn_1", 200)]))).toEqual([receipt]);
  });
});
