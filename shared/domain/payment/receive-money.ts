import { type StepContext, owedByHand } from "../order/cancel-order.ts";
import { type OrderChange, type Step, changeOf, eachSku, withRows } from "../order/order-change.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import { unsentBySku } from "../order/order-units.ts";
import { type Transaction, moneyMoved, openCharges, refundDue } from "./payment.ts";
import { withCredit } from "./payment-schedule.ts";
import { refundAmount } from "./refunds.ts";
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
  const settled = settledBy(order, transactions);
  const step = stepFor({ order, rows: { ...rows, transactions } }, arrived, settled, context);
  // The check cancels open gateway payments, so that the buyer does not pay twice.
  const ending =
    (step.set?.status === "confirmed" || order.deposit !== null) &&
    openCharges(transactions).length > 0;
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

/** The money of the ledger that counts towards what the order costs. */
function settledBy({ deposit, totals }: StoredOrder, ledger: readonly Transaction[]): number {
  const { paid, refunded } = moneyMoved(ledger);
  const credited = deposit ? withCredit(deposit, ledger, totals.grand_total).credited : 0;
  return paid - refunded + credited;
}

/** The step that received money causes. @param settled the money that counts towards the order, this money included */
function stepFor(
  record: OrderRecord,
  arrived: Transaction,
  settled: number,
  context: MoneyContext,
): Step {
  const { totals, deposit } = record.order;
  // Negative if money is missing.
  const surplus = settled - totals.grand_total;
  const isEnough = settled >= (deposit?.amount ?? totals.grand_total);
  const received = {
    type: "order_payment_received",
    order_id: record.order.id,
    transaction_id: arrived.id,
  } as const;
  switch (record.order.status) {
    case "pending_payment":
      return isEnough
        ? { ...confirmed(record, surplus), ...tooMuch(surplus) }
        : { ...partly, events: [received] };
    case "expired":
      return isEnough && context.stockAvailable
        ? { ...confirmed(record, surplus), ...revived(record) }
        : turnedAway(record, arrived, context);
    case "cancelled":
      return turnedAway(record, arrived, context);
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

const depositEntry = {
  type: "deposit_paid",
  message: "We have received your deposit.",
  public: true,
} as const;

/** Once the order is fully paid, staff no longer have to decide about its partial payment. */
const withoutPart = ({ order }: Pick<OrderRecord, "order">) =>
  order.attention.filter(({ code }) => code !== "part_paid");

function confirmed({ order }: OrderRecord, surplus: number): Step {
  return {
    set: { status: "confirmed", expires_at: null, attention: withoutPart({ order }) },
    entries: [
      surplus < 0 ? depositEntry : paidEntry,
      { type: "confirmed", message: "Your order is confirmed.", public: true },
    ],
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
    stock: eachSku(unsentBySku(record), reserve),
    attention: [
      {
        code: "late_payment",
        message: "The payment arrived after the order had expired. Its stock was reserved again.",
      },
    ],
  };
}

/** Money for an ended order is refunded in full. A deposit that the shop keeps stays kept. */
function turnedAway(
  { order, rows }: OrderRecord,
  arrived: Transaction,
  { now, newTransactionId }: MoneyContext,
): Step {
  const at = now.toISOString();
  const ledger = order.deposit?.retained ? [arrived] : rows.transactions;
  const refunds = refundAmount(ledger, refundDue(ledger), "The order has ended", {
    newId: newTransactionId,
    at,
  });
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
