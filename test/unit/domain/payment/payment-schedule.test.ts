import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeOf } from "#shared/domain/order/order-change.ts";
import { amountDue } from "#shared/domain/payment/owing.ts";
import { paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { aCharge, aDeposit, aRecord, aRefund, after } from "#test/support/shop/order-record.ts";

const totals = { ...aRecord().order.totals, shipping: 0, grand_total: 1_000 };
const inParts = (order: Partial<StoredOrder> = {}) =>
  aRecord({ totals, status: "confirmed", deposit: aDeposit(), ...order }, {}, [
    { quantity: 1, line_total: 1_000 },
  ]);

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

  test("money that went back is due again unless the order is worth less", () => {
    const again = booked(inParts(), [paid("txn_1", 200), refunded("txn_2", 50)]);
    expect(statesOf(again)).toEqual(["deposit due", "balance open"]);
    expect(amountDue(again.order)).toBe(850);
    const paidInFull = booked(inParts(), [paid("txn_1", 1_000)]);
    const reduced = [{ id: anId("line", 1), amount: 50 }];
    const change = changeOf(paidInFull, { reduced, transactions: [refunded("txn_2", 50)] }, noon);
    const less = after(paidInFull, change);
    expect(statesOf(less)).toEqual(["deposit paid", "balance paid"]);
    expect(amountDue(less.order)).toBe(0);
  });

  test("what lowers the order lowers its balance first, then its deposit", () => {
    const amountsAt = (...off: number[]) => {
      let record = inParts();
      for (const amount of off) {
        const reduced = [{ id: anId("line", 1), amount }];
        record = after(record, changeOf(record, { reduced }, noon));
      }
      return paymentSchedule(record).map(({ amount }) => amount);
    };
    expect(amountsAt()).toEqual([200, 800]);
    expect(amountsAt(300)).toEqual([200, 500]);
    expect(amountsAt(300, 550)).toEqual([150, 0]);
  });

  test("a surplus that went back leaves the parts paid", () => {
    const record = booked(inParts(), [paid("txn_1", 1_300), refunded("txn_2", 300)]);
    expect(statesOf(record)).toEqual(["deposit paid", "balance paid"]);
  });

  test("a cancelled order expects no money and shows what the shop keeps", () => {
    const taken_off = [{ id: anId("line", 1), quantity: 1 }];
    const kept = [{ id: anId("line", 1), amount: 200 }];
    const record = booked(inParts(), [paid("txn_1", 1_000)]);
    const cancelled = after(
      record,
      changeOf(record, { set: { status: "cancelled" }, taken_off, kept }, noon),
    );
    expect(statesOf(cancelled)).toEqual(["deposit paid", "balance open"]);
    expect(paymentSchedule(cancelled).map(({ amount }) => amount)).toEqual([200, 0]);
  });
});

const ledgers = fc.array(
  fc.record({
    type: fc.constantFrom("charge" as const, "refund" as const),
    state: fc.constantFrom("pending" as const, "succeeded" as const, "failed" as const),
    share: fc.integer({ min: 1, max: 100 }),
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
        const ledger = moves.flatMap(({ type, state, share }, index): Transaction[] => {
          const id = `txn_${index}`;
          const at = minute(index);
          if (type === "charge") {
            const charged = Math.ceil((grand_total * share) / 60);
            if (state === "succeeded") kept += charged;
            return [aCharge({ id, state, amount: charged, at })];
          }
          const back = Math.floor((kept * share) / 100);
          if (back === 0) return [];
          if (state !== "failed") kept -= back;
          return [aRefund({ id, state, amount: back, at })];
        });
        const base = aRecord(
          {
            status: "confirmed",
            totals: { ...totals, grand_total },
            deposit: aDeposit({ amount }),
          },
          {},
          [{ quantity: 1, line_total: grand_total }],
        );
        const record = booked(base, ledger);
        const { order } = record;
        const [deposit, balance] = paymentSchedule(record);
        expect(deposit!.amount + balance!.amount).toBe(grand_total);
        if (balance!.state === "paid") expect(deposit!.state).toBe("paid");
        expect(balance!.state === "paid").toBe(amountDue(order) === 0);
        expect(deposit!.state === "paid").toBe(amountDue(order) <= balance!.amount);
        expect(order.received).toBe(kept);
      },
    ),
  );
});
