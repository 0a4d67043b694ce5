import { type StepContext, owedByHand } from "../order/status/cancel-order.ts";
import { confirmed, paidEntry, withoutPart } from "../order/status/confirm-order.ts";
import { changeOf, eachStock } from "../order/order-change.ts";
import { withRows, type OrderChange, type Step } from "../order/order-step.ts";
import type { OrderRecord } from "../order/order.ts";
import { unsentByStock } from "../order/ledger/order-units.ts";
import { amountDue, amountToConfirm, surplusOf } from "./owing.ts";
import { type Transaction, openCharges, receivedIn } from "./payment.ts";
import { refundAmount } from "./refund/refunds.ts";
import { roundingAfter } from "./rounding.ts";
import { reserve } from "../catalog/stock.ts";

export interface MoneyContext extends StepContext {
  /**
   * False if the previous attempt failed because the stock or the quotes of an expired order are no longer available.
   */
  readonly stockAvailable: boolean;
  /** False if the coupon of an expired order has no use left. The order keeps its price. */
  readonly couponLeft?: boolean;
}

/**
 * The effect of received money on an order. A full payment confirms it, and a partial payment keeps it from expiring.
 * Money for an ended order is refunded, unless its stock is available again.
 *
 * @param arrived the charge, as the ledger will hold it
 */
export function receiveMoney(
  record: OrderRecord,
  arrived: Transaction,
  context: MoneyContext,
): OrderChange {
  const { order, rows } = record;
  const transactions = withRows(rows.transactions, [arrived]);
  const step = stepFor({ order, rows: { ...rows, transactions } }, arrived, context);
  // The check cancels open gateway payments, so that the buyer does not pay twice.
  const ending =
    (step.set?.status === "confirmed" || order.deposit !== null) &&
    openCharges(transactions).length > 0;
  const rounding = step.set?.rounding_paid;
  return changeOf(
    record,
    {
      ...step,
      transactions: [
        { ...arrived, ...(rounding !== undefined && { rounding }) },
        ...(step.transactions ?? []),
      ],
      checksAt: [...(step.checksAt ?? []), ...(ending ? [context.now.toISOString()] : [])],
    },
    context.now,
  );
}

/** The step that received money causes. @param record with the money in its ledger */
function stepFor(record: OrderRecord, arrived: Transaction, context: MoneyContext): Step {
  const { order, rows } = record;
  const received = receivedIn(rows.transactions);
  const due = amountDue({ ...order, status: "confirmed", received: received - arrived.amount });
  const roundings = roundingAfter(order, arrived, due);
  const { rounding = order.rounding } = roundings;
  const current = (order.current ?? order.totals.grand_total) + rounding - order.rounding;
  const owing = { ...order, current, received };
  const isEnough = received >= amountToConfirm(owing);
  // What an expired order is worth once it is confirmed.
  const isWhole = amountDue({ ...owing, status: "confirmed" }) === 0;
  const announced = {
    type: "order_payment_received",
    order_id: order.id,
    transaction_id: arrived.id,
  } as const;
  const rounded = (step: Step): Step => ({ ...step, set: { ...step.set, ...roundings } });
  switch (order.status) {
    case "pending_payment":
      return rounded(isEnough ? confirmed(order, isWhole) : { ...partly, events: [announced] });
    case "expired":
      return isEnough && context.stockAvailable
        ? rounded({ ...confirmed(order, isWhole), ...revived(record, arrived, context) })
        : turnedAway(record, arrived, context);
    case "cancelled":
      return turnedAway(record, arrived, context);
    default:
      return rounded({
        entries: [isWhole ? paidEntry : partEntry],
        events: [announced],
        ...(isWhole ? { set: { attention: withoutPart(order) } } : partlyPaid),
      });
  }
}

const partEntry = {
  type: "part_paid",
  message: "We have received part of your payment.",
  public: true,
} as const;

const partly: Step = {
  set: { expires_at: null },
  entries: [partEntry],
  attention: [
    {
      code: "part_paid",
      message: "Only part of the total was paid. The order keeps its stock until you decide.",
    },
  ],
};

/** A partial payment of an order that does not wait for its payment, such as one with cash on delivery. */
const partlyPaid: Step = {
  attention: [{ code: "part_paid", message: "Only part of the total was paid. The rest is due." }],
};

/**
 * The effects of a late payment besides the confirmation: the expired order reserves its stock again, and staff are
 * notified.
 */
function revived(
  record: OrderRecord,
  arrived: Transaction,
  { couponLeft = true }: MoneyContext,
): Step {
  return {
    stock: eachStock(unsentByStock(record), reserve),
    attention: [
      {
        code: "late_payment",
        message: couponLeft ? cameBack : `${cameBack} Its coupon was used beyond its limit.`,
        about: arrived.id,
      },
    ],
  };
}

const cameBack = "The payment arrived after the order had expired. Its stock was reserved again.";

/** Money for an ended order is refunded, except for what the shop keeps. */
function turnedAway(
  { order, rows }: OrderRecord,
  arrived: Transaction,
  { now, newTransactionId }: MoneyContext,
): Step {
  const at = now.toISOString();
  const surplus = surplusOf({ ...order, received: receivedIn(rows.transactions) });
  const ledger = surplus <= arrived.amount ? [arrived] : rows.transactions;
  const refunds = refundAmount(ledger, surplus, "The order has ended", {
    newId: newTransactionId,
    at,
  });
  const byHand = owedByHand(refunds);
  return {
    transactions: refunds,
    entries: [
      {
        type: "late_payment",
        message: "Your payment arrived too late for this order. We will refund it.",
        public: true,
      },
    ],
    checksAt: [at],
    attention: [
      { ...cameLate, ...(byHand.length === 0 && { message: goesBack }), about: arrived.id },
      ...byHand,
    ],
  };
}

const cameLate = {
  code: "late_payment",
  message: "A payment arrived after the order had ended.",
} as const;

const goesBack = `${cameLate.message} It is refunded automatically.`;
