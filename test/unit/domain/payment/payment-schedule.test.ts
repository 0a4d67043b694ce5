import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeOf } from "#shared/domain/order/order-change.ts";
import { amountDue, moneyMoved } from "#shared/domain/payment/payment.ts";
import { paymentSchedule, settlements } from "#shared/domain/payment/payment-schedule.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aCharge, aDeposit, aRecord, aRefund, after } from "#test/support/shop/order-record.ts";

const totals = { ...aRecord().order.totals, grand_total: 1_000 };
const inParts = (order: Partial<StoredOrder> = {}) =>
  aRecord({ totals, status: "confirmed", deposit: aDeposit(), ...order });

const minute = (number: number) => new Date(noon.getTime() + number * 60_000).toISOString();
const booked = (record: ReturnType<typeof inParts>, transactions: Transaction[]) =>
  after(record, changeOf(record, { transactions }, noon));
const paid = (id: string, amount: number, at = minute(1)) => aCharge({ id, amount, at });
const refunded = (id: string, amount: number, at = minute(2), of: Partial<Transaction> = {}) =>
  aRefund({ id, amount, at, ...of });
const statesOf = (record: ReturnType<typeof inParts>) =>
  paymentSchedule(record).map(({ code, state }) => `${code} ${state}`);

describe("money fills the parts in their sequence", () => {
  test.each([
    [0, "deposit due", "balance open"],
    [199, "deposit due", "balance open"],
    [200, "deposit paid", "balance open"],
    [999, "deposit paid", "balance open"],
    [1_000, "deposit paid", "balance paid"],
    [1_200, "deposit paid", "balance paid"],
  ])("%d of 1,000 with a deposit of 200", (amount, ...states) => {
    const record = booked(inParts(), amount === 0 ? [] : [paid("txn_1", amount)]);
    expect(statesOf(record)).toEqual(states);
  });

  test("a part is paid at the time of the payment that completed it", () => {
    const record = booked(inParts(), [
      paid("txn_1", 150, minute(1)),
      paid("txn_2", 50, minute(2)),
      paid("txn_3", 800, minute(3)),
    ]);
    expect(paymentSchedule(record).map(({ paid_at }) => paid_at)).toEqual([minute(2), minute(3)]);
  });

  test("a part that a refund has opened again is paid at the time of the payment that completed it then", () => {
    const record = booked(inParts(), [
      paid("txn_1", 200, minute(1)),
      refunded("txn_2", 50, minute(2)),
      paid("txn_3", 850, minute(3)),
    ]);
    expect(paymentSchedule(record).map(({ paid_at }) => paid_at)).toEqual([minute(3), minute(3)]);
  });

  test("a refund before everything is paid has to be paid again", () => {
    const record = booked(inParts(), [paid("txn_1", 200), refunded("txn_2", 50)]);
    expect(statesOf(record)).toEqual(["deposit due", "balance open"]);
    expect(amountDue(record.order)).toBe(850);
  });

  test("a refund of units, or one after everything was paid, does not have to be paid again", () => {
    const items = [{ id: "line_1", quantity: 1 }];
    const ofUnits = booked(inParts(), [
      paid("txn_1", 200),
      refunded("txn_2", 50, minute(2), { items }),
    ]);
    expect(amountDue(ofUnits.order)).toBe(800);
    const later = booked(inParts(), [paid("txn_1", 1_000), refunded("txn_2", 50)]);
    expect(statesOf(later)).toEqual(["deposit paid", "balance paid"]);
    expect(amountDue(later.order)).toBe(0);
  });

  test("a refunded surplus credits nothing", () => {
    const record = booked(inParts(), [paid("txn_1", 1_300), refunded("txn_2", 300)]);
    expect(record.order.deposit?.credited).toBe(0);
    expect(statesOf(record)).toEqual(["deposit paid", "balance paid"]);
  });

  test("an ended order expects no money and shows what the shop keeps", () => {
    const cancelled = booked(inParts({ status: "cancelled" }), [
      paid("txn_1", 1_000),
      refunded("txn_2", 800),
    ]);
    expect(statesOf(cancelled)).toEqual(["deposit paid", "balance open"]);
  });
});

const ledgers = fc.array(
  fc.record({
    type: fc.constantFrom("charge" as const, "refund" as const),
    state: fc.constantFrom("pending" as const, "succeeded" as const, "failed" as const),
    share: fc.integer({ min: 1, max: 100 }),
    ofUnits: fc.boolean(),
  }),
  { maxLength: 12 },
);

test("for any ledger, the parts add up to the total, are filled in sequence, and lack exactly what is due", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 1_000_000 }),
      fc.integer({ min: 1, max: 99 }),
      ledgers,
      (grand_total, percent, moves) => {
        const amount = Math.max(1, Math.floor((grand_total * percent) / 100));
        fc.pre(amount < grand_total);
        let kept = 0;
        const ledger = moves.flatMap(({ type, state, share, ofUnits }, index): Transaction[] => {
          const id = `txn_${index}`;
          const at = minute(index);
          if (type === "charge") {
            const charged = Math.ceil((grand_total * share) / 60);
            if (state === "succeeded") kept += charged;
            return [aCharge({ id, state, amount: charged, at })];
          }
          const back = Math.floor((kept * share) / 100);
          if (back === 0) return [];
          if (state === "succeeded") kept -= back;
          const items = ofUnits ? [{ id: "line_1", quantity: 1 }] : [];
          return [aRefund({ id, state, amount: back, at, items })];
        });
        const base = aRecord({
          status: "confirmed",
          totals: { ...totals, grand_total },
          deposit: aDeposit({ amount }),
        });
        const record = booked(base, ledger);
        const { order } = record;
        const [deposit, balance] = paymentSchedule(record);
        expect(deposit!.amount + balance!.amount).toBe(grand_total);
        if (balance!.state === "paid") expect(deposit!.state).toBe("paid");
        expect(balance!.state === "paid").toBe(amountDue(order) === 0);
        expect(deposit!.state === "paid").toBe(amountDue(order) <= balance!.amount);
        expect(moneyMoved(record.rows.transactions).paid - order.refunded).toBe(kept);
        // Credit never exceeds what was refunded, and money alone never settles less than was kept.
        for (const { settled, credited } of settlements(ledger, grand_total)) {
          expect(credited).toBeLessThanOrEqual(order.refunded);
          expect(settled).toBeGreaterThanOrEqual(0);
        }
      },
    ),
  );
});
