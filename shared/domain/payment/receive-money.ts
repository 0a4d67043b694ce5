import { type StepContext, owedByHand } from "../order/cancel-order.ts";
import { type OrderChange, type Step, changeOf, eachSku, withRows } from "../order/order-change.ts";
import type { OrderRecord } from "../order/order.ts";
import { owedBySku } from "../order/order-units.ts";
import { type Transaction, moneyMoved, openCharges } from "./payment.ts";
import { refundAll } from "./refunds.ts";
import { reserve } from "../catalog/stock.ts";

export interface MoneyContext extends StepContext {
  /**
   * False if the previous attempt failed because the stock or the quotes of an expired order are no longer available.
   */
  readonly stockAvailable: boolean;
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
  const { paid, refunded } = moneyMoved(transactions);
  const kept = paid - refunded;
  const total = order.totals.grand_total;
  const step = stepFor({ order, rows: { ...rows, transactions } }, arrived, kept - total, context);
  // The check cancels open gateway payments, so that the buyer does not pay twice.
  const ending = step.set?.status === "confirmed" && openCharges(transactions).length > 0;
  return changeOf(
    record,
    {
      ...step,
      transactions: [arrived, ...(step.transactions ?? [])],
      checksAt: [...(step.checksAt ?? []), ...(ending ? [context.now.toISOString()] : [])],
    },
    context.now,
  );
}

/**
 * The step that received money causes.
 *
 * @param surplus the captured money that is not refunded, minus the order's total; negative if money is missing
 */
function stepFor(
  record: OrderRecord,
  arrived: Transaction,
  surplus: number,
  context: MoneyContext,
): Step {
  const received = {
    type: "order_payment_received",
    order_id: record.order.id,
    transaction_id: arrived.id,
  } as const;
  switch (record.order.status) {
    case "pending_payment":
      return surplus < 0
        ? { ...partly, events: [received] }
        : { ...confirmed(record), ...tooMuch(surplus) };
    case "expired":
      return surplus < 0 || !context.stockAvailable
        ? turnedAway(record, context)
        : { ...confirmed(record), ...revived(record) };
    case "cancelled":
      return turnedAway(record, context);
    default:
      return {
        entries: [surplus < 0 ? partEntry : paidEntry],
        events: [received],
        ...(surplus < 0
          ? partlyPaid
          : { set: { attention: withoutPart(record) }, ...tooMuch(surplus) }),
      };
  }
}

const paidEntry = {
  type: "paid",
  message: "We have received your payment.",
  public: true,
} as const;

/** Once the order is fully paid, staff no longer have to decide about its partial payment. */
const withoutPart = ({ order }: Pick<OrderRecord, "order">) =>
  order.attention.filter(({ code }) => code !== "part_paid");

function confirmed({ order }: OrderRecord): Step {
  return {
    set: { status: "confirmed", expires_at: null, attention: withoutPart({ order }) },
    entries: [paidEntry, { type: "confirmed", message: "Your order is confirmed.", public: true }],
    events: [{ type: "order_paid", order_id: order.id }],
  };
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

const tooMuch = (surplus: number): Step =>
  surplus > 0
    ? { attention: [{ code: "overpaid", message: "More was paid than the order costs." }] }
    : {};

/**
 * The effects of a late payment besides the confirmation: the expired order reserves its stock again, and staff are
 * notified.
 */
function revived(record: OrderRecord): Step {
  return {
    stock: eachSku(owedBySku(record), reserve),
    attention: [
      {
        code: "late_payment",
        message: "The payment arrived after the order had expired. Its stock was reserved again.",
      },
    ],
  };
}

/** Money for an ended order is refunded in full. */
function turnedAway(record: OrderRecord, { now, newTransactionId }: MoneyContext): Step {
  const at = now.toISOString();
  const refunds = refundAll(record, "The order has ended", { newId: newTransactionId, at });
  const byHand = refunds.some(({ method }) => method !== "gateway");
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
    attention: byHand ? [cameLate, owedByHand] : [{ ...cameLate, message: goesBack }],
  };
}

const cameLate = {
  code: "late_payment",
  message: "A payment arrived after the order had ended.",
} as const;

const goesBack = `${cameLate.message} It is refunded automatically.`;
