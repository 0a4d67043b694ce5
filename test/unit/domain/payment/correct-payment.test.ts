import { describe, expect, test } from "vitest";
import { expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import { advancesOf } from "#shared/domain/order/invoice/vouchers.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import {
  type ChequePatch,
  settleCheque,
  voidPayment,
} from "#shared/domain/payment/correct-payment.ts";
import { PaymentInput, recordPayment } from "#shared/domain/payment/record-payment.ts";
import { noon } from "#test/support/shop/commerce.ts";
import {
  aCharge,
  aDeposit,
  aMoneyContext,
  aRecord,
  aRefund,
  after,
} from "#test/support/shop/order-record.ts";

const expiry = "2026-11-24T12:00:00.000Z";
const today = "2026-11-21";
const total = aRecord().order.totals.grand_total;
const attentionOf = ({ order }: OrderRecord) => order.attention.map(({ code }) => code);

function unpaid(order: Partial<StoredOrder> = {}): OrderRecord {
  return aRecord({
    status: "pending_payment",
    payment_status: "awaiting_transfer",
    payment_method: "bank_transfer",
    expires_at: noon.toISOString(),
    ...order,
  });
}

function book(record: OrderRecord, sent: Record<string, unknown>, id = "txn_1"): OrderRecord {
  const input = PaymentInput.parse({ amount: total, ...sent });
  const outcome = recordPayment(record, input, { id, today, since: today }, aMoneyContext());
  if (outcome.kind !== "recorded") throw new Error(outcome.kind);
  return after(record, outcome.change);
}

function voided(record: OrderRecord, id = "txn_1", notify = false) {
  const outcome = voidPayment(record, id, { reason: "Typed twice", notify }, { now: noon, expiry });
  if (outcome.kind !== "changed") return outcome;
  return { ...after(record, outcome.change), kind: "changed" as const, change: outcome.change };
}

const settled = (record: OrderRecord, state: ChequePatch["state"]) => {
  const context = { ...aMoneyContext(), today, expiry };
  const outcome = settleCheque(record, "txn_1", { state }, context);
  if (outcome.kind !== "changed") throw new Error(outcome.kind);
  return after(record, outcome.change);
};

describe("the tender of a payment", () => {
  test.each([
    [{ tender: "cash" }, "cod", "cash"],
    [{ tender: "card_terminal" }, "cod", "card_terminal"],
    [{ tender: "upi", reference: "U1" }, "cod", "upi"],
    [{ tender: "bank_transfer", reference: "B1" }, "bank_transfer", "bank_transfer"],
    [{ tender: "finance", reference: "F1" }, "bank_transfer", "finance"],
    [{ method: "cod" }, "cod", "cash"],
    [{ method: "bank_transfer", reference: "B1" }, "bank_transfer", "bank_transfer"],
  ])("of %j has the method %s", (sent, method, tender) => {
    const { order, rows } = book(unpaid(), sent);
    expect(rows.transactions).toMatchObject([{ method, tender, state: "succeeded" }]);
    expect(order).toMatchObject({ status: "confirmed", payment_status: "paid" });
  });

  test.each([
    ["tender", {}],
    ["method", { tender: "upi", method: "bank_transfer", reference: "U1" }],
    ["reference", { tender: "cheque" }],
    ["reference", { tender: "finance" }],
  ])("is refused at %s for %j", (path, sent) => {
    const { error } = PaymentInput.safeParse({ amount: 1, ...sent });
    expect(error?.issues.map((issue) => issue.path[0])).toEqual([path]);
  });
});

describe("a cheque", () => {
  const waiting = () => book(unpaid(), { tender: "cheque", reference: "000123" });

  test("is pending, counts nowhere, and keeps the order from expiring", () => {
    const record = waiting();
    expect(record.rows.transactions).toMatchObject([{ state: "pending", method: "bank_transfer" }]);
    expect(record.order).toMatchObject({
      status: "pending_payment",
      payment_status: "awaiting_transfer",
      paid: 0,
      expires_at: null,
    });
    expect(expireOrder(record, new Date("2027-01-01"))).toBeUndefined();
  });

  test("confirms the order when it is cleared, and is received on that day", () => {
    const { order, rows } = settled(waiting(), "cleared");
    expect(order).toMatchObject({ status: "confirmed", payment_status: "paid", paid: total });
    expect(rows.transactions).toMatchObject([{ state: "succeeded", received_on: today }]);
  });

  test("that bounces gives the unpaid order a new payment window", () => {
    const record = settled(waiting(), "bounced");
    expect(record.order).toMatchObject({ status: "pending_payment", paid: 0, expires_at: expiry });
    expect(expireOrder(record, new Date(expiry))?.order.status).toBe("expired");
  });

  test("that bounces beside another one leaves the order waiting", () => {
    const two = book(waiting(), { tender: "cheque", reference: "000124" }, "txn_2");
    expect(settled(two, "bounced").order.expires_at).toBeNull();
  });

  test("is settled once, and no other payment is a cheque", () => {
    const context = { ...aMoneyContext(), today, expiry };
    const cleared = settled(waiting(), "cleared");
    expect(settleCheque(cleared, "txn_1", { state: "cleared" }, context).kind).toBe("already");
    expect(settleCheque(cleared, "txn_1", { state: "bounced" }, context).kind).toBe("refused");
    const cash = book(unpaid(), { tender: "cash" });
    expect(settleCheque(cash, "txn_1", { state: "cleared" }, context).kind).toBe("refused");
    expect(settleCheque(cash, "txn_2", { state: "cleared" }, context).kind).toBe("unknown");
  });
});

describe("a voided payment", () => {
  test("counts nowhere, and the status stays", () => {
    const result = voided(book(unpaid(), { tender: "cash" }));
    expect(result).toMatchObject({
      order: { status: "confirmed", payment_status: "awaiting_transfer", paid: 0, received: 0 },
      rows: { transactions: [{ state: "voided", amount: total }] },
      change: { events: [] },
    });
  });

  test("of an order that awaits its first payment gives it a new payment window without a flag", () => {
    const part = book(unpaid(), { tender: "cash", amount: 100 });
    expect([part.order.expires_at, attentionOf(part)]).toEqual([null, ["part_paid"]]);
    const result = voided(part);
    expect(result).toMatchObject({
      order: { status: "pending_payment", expires_at: expiry, attention: [] },
    });
  });

  test("that was too much ends the surplus", () => {
    const record = book(book(unpaid(), { tender: "cash" }), { tender: "cash", amount: 9 }, "txn_2");
    expect(attentionOf(record)).toEqual(["overpaid"]);
    const result = voided(record, "txn_2");
    expect(result).toMatchObject({ order: { payment_status: "paid", attention: [] } });
  });

  test("of an order that has ended takes its refund with it, which staff have not made yet", () => {
    const record = book(aRecord({ status: "cancelled" }), { tender: "cash", amount: 700 });
    expect(attentionOf(record)).toEqual(["late_payment", "refund_to_make"]);
    const result = voided(record);
    expect(result).toMatchObject({
      order: { payment_status: "failed", received: 0, attention: [{ code: "late_payment" }] },
      rows: { transactions: [{ state: "voided" }, { type: "refund", state: "voided" }] },
    });
  });

  test("is announced only on request", () => {
    const record = book(unpaid(), { tender: "cash" });
    const result = voided(record, "txn_1", true);
    const event = { type: "order_payment_voided", order_id: record.order.id };
    expect(result).toMatchObject({ change: { events: [{ ...event, transaction_id: "txn_1" }] } });
  });

  test("is voided once; a refunded one, one at the gateway and one that is unknown are not", () => {
    const once = voided(book(unpaid(), { tender: "cash" }));
    expect(voided(once as unknown as OrderRecord).kind).toBe("already");
    const refund = aRefund({ charge_id: "txn_1", amount: 1 });
    const refunded = aRecord({}, { transactions: [aCharge({ id: "txn_1" }), refund] });
    expect(voided(refunded).kind).toBe("refused");
    const online = aRecord({}, { transactions: [aCharge({ id: "txn_1", method: "gateway" })] });
    expect(voided(online).kind).toBe("refused");
    expect(voided(online, "txn_2").kind).toBe("unknown");
  });

  test("of a deposit has a refund voucher, and the payment that replaces it a receipt", () => {
    const record = book(unpaid({ deposit: aDeposit({ amount: 200 }) }), {
      tender: "cash",
      amount: 200,
    });
    const receipt = { id: "txn_1", type: "receipt_voucher", amount: 200 };
    expect(advancesOf(record)).toEqual([receipt]);
    const undone = voided(record) as unknown as OrderRecord;
    const back = { id: "txn_1_void", type: "refund_voucher", amount: 200 };
    expect(advancesOf(undone)).toEqual([receipt, back]);
    const again = book(undone, { tender: "cash", amount: 200 }, "txn_2");
    expect(advancesOf(again)).toEqual([receipt, { ...receipt, id: "txn_2" }, back]);
  });
});
