import { describe, expect, test } from "vitest";
import { followBalance, nextBalanceCheck, waivePart } from "#shared/domain/order/status/balance.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import { amountDue } from "#shared/domain/payment/owing.ts";
import { isHeldForBalance, paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import { noon } from "#test/support/shop/commerce.ts";
import {
  aCharge,
  aDeposit,
  aMoneyContext,
  aRecord,
  after,
} from "#test/support/shop/order-record.ts";

const days = (number: number) => new Date(noon.getTime() + number * 86_400_000);
const at = (number: number) => days(number).toISOString();

/** An order of 1,000 with a paid deposit of 200. */
const withDeposit = (order: Partial<StoredOrder> = {}) => {
  const { paid = 200, ...overrides } = order;
  return aRecord(
    {
      payment_method: "gateway",
      status: "confirmed",
      totals: { ...aRecord().order.totals, grand_total: 1_000 },
      deposit: aDeposit(),
      ...overrides,
    },
    { transactions: [aCharge({ amount: paid })] },
  );
};
const ready = (order: Partial<StoredOrder> = {}) => {
  const record = withDeposit(order);
  const context = { ...aMoneyContext(), permissions: [], completesAt: at(7) };
  const outcome = moveOrder(record, "ready_to_dispatch", context);
  if (outcome.kind !== "moved") throw new Error(outcome.kind);
  return { change: outcome.change, record: after(record, outcome.change) };
};

describe("when an order becomes ready to dispatch", () => {
  test("its balance is due after the agreed days, and the buyer gets a mail", () => {
    const { change, record } = ready();
    expect(change.events).toEqual([
      { type: "order_balance_due", order_id: record.order.id, at: noon.toISOString() },
    ]);
    expect(change.checksAt).toEqual([at(3)]);
    expect(paymentSchedule(record)[1]).toMatchObject({ state: "due", due_at: at(7) });
  });

  test("nothing is mailed for a balance that is paid on delivery", () => {
    const { change, record } = ready({ payment_method: "cod" });
    expect(change.events).toEqual([]);
    expect(paymentSchedule(record)[1]).toMatchObject({
      state: "due",
      due: "on_delivery",
      due_at: null,
    });
  });

  test("nothing is due if everything is paid, or the order is not paid in parts", () => {
    for (const order of [{ paid: 1_000 }, { deposit: null }]) {
      const { change } = ready(order);
      expect(change.events).toEqual([]);
      expect(change.checksAt).toEqual([]);
    }
  });
});

describe("the scheduled checks of a due balance", () => {
  test("send each reminder once, then flag the order once", () => {
    let { record } = ready();
    const log: string[] = [];
    for (let hour = 0; hour <= 24 * 10; hour += 6) {
      const change = followBalance(record, days(hour / 24));
      if (!change) continue;
      for (const { type } of [
        ...change.events,
        ...change.order.attention.map(({ code }) => ({ type: code })),
      ]) {
        log.push(`${hour / 24}: ${type}`);
      }
      record = after(record, change);
    }
    expect(log).toEqual([
      "3: order_balance_reminder",
      "6: order_balance_reminder",
      "7: order_attention",
      "7: balance_overdue",
    ]);
  });

  test("send one reminder for several whose time has passed", () => {
    const { record } = ready();
    const change = followBalance(record, days(6.5));
    expect(change?.events.map(({ type }) => type)).toEqual(["order_balance_reminder"]);
    expect(followBalance(after(record, change), days(6.6))).toBeUndefined();
  });

  test("flag an overdue balance again neither after staff cleared the flag nor after it is paid", () => {
    const { record } = ready();
    const overdue = after(record, followBalance(record, days(7)));
    expect(overdue.order.attention).toMatchObject([{ code: "balance_overdue" }]);
    const cleared = { ...overdue, order: { ...overdue.order, attention: [] } };
    expect(followBalance(cleared, days(8))).toBeUndefined();
    expect(nextBalanceCheck(cleared, days(8))).toBeNull();
  });

  test("are planned at each reminder and at the end", () => {
    const { record } = ready();
    const planned = [0, 3, 6, 7].map((day) => nextBalanceCheck(record, days(day)));
    expect(planned).toEqual([at(3), at(6), at(7), null]);
  });

  test.each<[string, Partial<StoredOrder>]>([
    ["is waived", { waiver: { reason: "Known", at: at(0) } }],
    ["is paid on delivery", { payment_method: "cod" }],
    ["is paid", { paid: 1_000 }],
  ])("leave the buyer alone if the balance %s", (_why, order) => {
    const { record } = ready(order);
    expect(followBalance(record, days(8))).toBeUndefined();
    expect(nextBalanceCheck(record, days(1))).toBeNull();
  });
});

describe("waiving", () => {
  test("lets the order leave, while the money is still owed", () => {
    const { record } = ready();
    const outcome = waivePart(record, "balance", "A regular", days(1));
    if (outcome.kind !== "changed") throw new Error(outcome.kind);
    const waived = after(record, outcome.change);
    expect(paymentSchedule(waived)[1]?.state).toBe("waived");
    expect(amountDue(waived.order)).toBe(800);
    expect(outcome.change.entries).toMatchObject([{ type: "balance_waived", public: false }]);
    expect(waivePart(waived, "balance", "Again", days(2)).kind).toBe("already");
  });

  test("lets an order leave that is not paid in parts and has money due again", () => {
    const outcome = waivePart(withDeposit({ deposit: null }), "full", "A regular", noon);
    if (outcome.kind !== "changed") throw new Error(outcome.kind);
    expect(isHeldForBalance(withDeposit({ deposit: null }).order)).toBe(true);
    expect(isHeldForBalance(outcome.change.order)).toBe(false);
  });

  test("removes the flag of an overdue balance", () => {
    const { record } = ready();
    const overdue = after(record, followBalance(record, days(7)));
    const outcome = waivePart(overdue, "balance", "A regular", days(8));
    expect(outcome).toMatchObject({ change: { order: { attention: [] } } });
  });

  test("is refused for a deposit, cash on delivery, a paid balance and an order without a future", () => {
    expect(waivePart(withDeposit(), "deposit", "-", noon)).toMatchObject({ kind: "refused" });
    const inCash = withDeposit({ deposit: null, payment_method: "cod" });
    expect(waivePart(inCash, "full", "-", noon).kind).toBe("refused");
    expect(waivePart(withDeposit({ deposit: null }), "balance", "-", noon).kind).toBe("unknown");
    expect(waivePart(withDeposit({ paid: 1_000 }), "balance", "-", noon)).toMatchObject({
      kind: "refused",
      from: "paid",
    });
    for (const status of ["pending_payment", "cancelled", "expired", "returned"] as OrderStatus[]) {
      expect([status, waivePart(withDeposit({ status }), "balance", "-", noon).kind]).toEqual([
        status,
        "refused",
      ]);
    }
  });
});
