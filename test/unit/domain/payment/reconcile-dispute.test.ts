import { describe, expect, test } from "vitest";
import type {
  GatewayDispute,
  GatewayPayment,
} from "#shared/domain/payment/gateway/gateway-payment.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { amountDue, surplusOf } from "#shared/domain/payment/owing.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import { reconcilePayment } from "#shared/domain/payment/gateway/reconcile-payment.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aMoneyContext, aRecord, after } from "#test/support/shop/order-record.ts";

const base = aRecord({ status: "pending_payment", payment_method: "gateway" });
const total = base.order.current!;
const payment = (...disputes: GatewayDispute[]): GatewayPayment => ({
  id: "pi_1",
  order_id: base.order.id,
  state: "succeeded",
  amount: total,
  received: total,
  currency: base.order.currency,
  decline_reason: null,
  refunds: [],
  disputes,
});

/** The order after it was reconciled until nothing changed any more. */
function settled(record: OrderRecord, with_: GatewayPayment): OrderRecord {
  let latest = record;
  for (let step = 0; step < 9; step++) {
    const result = reconcilePayment(latest, with_, aMoneyContext());
    if (result.kind !== "changed") return latest;
    latest = after(latest, result.change);
  }
  throw new Error("Every reconciliation changes the order again");
}

const opened: OrderRecord = {
  order: base.order,
  rows: { ...base.rows, transactions: [openedCharge(payment(), noon.toISOString())] },
};
const paid = settled(opened, payment());
const dispute = (state: GatewayDispute["state"], amount = total): GatewayDispute => ({
  id: "du_1",
  state,
  amount,
  is_refundable: state === "won",
});
const flags = ({ order }: OrderRecord) => order.attention.map(({ code }) => code);

describe("a dispute", () => {
  test("needs attention while it is open, once, and no more when it is won", () => {
    const open = settled(paid, payment(dispute("open")));
    expect(flags(open)).toEqual(["disputed"]);
    expect(open.order).toMatchObject({ payment_status: "paid", received: total, disputed: 0 });
    expect(settled(open, payment(dispute("open")))).toBe(open);
    const won = settled(open, payment(dispute("won")));
    expect([flags(won), won.order.disputed]).toEqual([[], 0]);
    expect(settled(won, payment(dispute("open")))).toBe(won);
  });

  test("that is lost is a row of the ledger: nothing becomes due, and nothing of it can be refunded", () => {
    const lost = settled(settled(paid, payment(dispute("open"))), payment(dispute("lost")));
    expect(flags(lost)).toEqual(["disputed"]);
    expect(lost.rows.transactions).toMatchObject([
      { type: "charge", state: "succeeded" },
      { type: "dispute", state: "succeeded", amount: total, provider_ref: "du_1" },
    ]);
    expect(lost.order).toMatchObject({ payment_status: "paid", received: total, disputed: total });
    expect([amountDue(lost.order), surplusOf(lost.order)]).toEqual([0, 0]);
    const input = RefundInput.parse({ amount: 1, reason: "Kindness", pay_again: true });
    expect(planRefund(lost, input, aMoneyContext()).kind).toBe("refused");
    const cancelled = cancelOrder(lost, "staff", aMoneyContext());
    if (cancelled.kind !== "cancelled") throw new Error(cancelled.kind);
    const end = after(lost, cancelled.change);
    expect(end.rows.transactions).toHaveLength(2);
    expect(end.order).toMatchObject({ status: "cancelled", payment_status: "refunded" });
  });

  test("about a part leaves the rest refundable", () => {
    const lost = settled(paid, payment(dispute("lost", 1_000)));
    const cancelled = cancelOrder(lost, "staff", aMoneyContext());
    if (cancelled.kind !== "cancelled") throw new Error(cancelled.kind);
    expect(cancelled.change.transactions).toMatchObject([
      { type: "refund", amount: total - 1_000 },
    ]);
  });

  test("that was won before it was seen changes nothing", () => {
    expect(settled(paid, payment(dispute("won")))).toBe(paid);
  });
});
