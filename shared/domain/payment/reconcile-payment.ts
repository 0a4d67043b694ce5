import type { GatewayPayment, GatewayRefund } from "./gateway-payment.ts";
import { type OrderChange, type Step, changeOf } from "../order/order-change.ts";
import type { OrderStatus } from "../order/order-states.ts";
import type { OrderRecord } from "../order/order.ts";
import { ledgerId, openedCharge } from "./opened-charge.ts";
import { type Transaction, amountDue } from "./payment.ts";
import { type MoneyGiven, receiveMoney } from "./receive-money.ts";

export type Settlement =
  /** The order knows all of it. */
  | { readonly kind: "known" }
  /** It is not what the order agreed to: another amount, currency or order. The change tells staff, once. */
  | { readonly kind: "mismatch"; readonly change: OrderChange | null }
  /** One thing was new; there may be more, so the payment is settled again with what this leads to. */
  | { readonly kind: "changed"; readonly change: OrderChange };

type State = Transaction["state"];

/** A declined payment may still succeed, and a refund that was made may still bounce; nothing goes the other way. */
const chargeRank: Readonly<Record<State, number>> = { pending: 0, failed: 1, succeeded: 2 };
const refundRank: Readonly<Record<State, number>> = { pending: 0, succeeded: 1, failed: 2 };

const furthest = (rank: Readonly<Record<State, number>>, from: State, to: State): State =>
  rank[to] > rank[from] ? to : from;

const chargeState: Readonly<Record<GatewayPayment["state"], State>> = {
  open: "pending",
  processing: "pending",
  failed: "failed",
  cancelled: "failed",
  succeeded: "succeeded",
};

/**
 * What the gateway's present word on a payment does to its order. Confirm, webhook and sweep all end here. It goes by
 * what the payment is now and never back, so that it does not matter who comes first, how often or how late.
 */
export function settlePayment(
  record: OrderRecord,
  payment: GatewayPayment,
  given: MoneyGiven,
): Settlement {
  const row = record.rows.transactions.find(({ id }) => id === ledgerId(payment.id));
  if (!agrees(record, row, payment)) {
    return { kind: "mismatch", change: mismatch(record, payment, given.now) };
  }
  const change =
    chargeChange(record, row, payment, given) ?? refundChange(record, payment, given.now);
  return change ? { kind: "changed", change } : { kind: "known" };
}

function agrees({ order }: OrderRecord, row: Transaction | undefined, payment: GatewayPayment) {
  const amount = row?.amount ?? amountDue(order);
  const received = payment.state === "succeeded" ? payment.received : amount;
  return (
    payment.order_id === order.id &&
    payment.currency === order.currency &&
    payment.amount === amount &&
    received === amount
  );
}

function mismatch(record: OrderRecord, payment: GatewayPayment, now: Date): OrderChange | null {
  // Until money has moved, there is nothing for staff to look into.
  if (payment.state !== "succeeded") return null;
  const message = `The gateway's payment ${payment.id} is not what was agreed: ${payment.received} ${payment.currency} in minor units.`;
  // Its mark may have been taken off since.
  if (record.rows.timeline.some((entry) => entry.message === message)) return null;
  return changeOf(
    record,
    {
      entries: [{ type: "payment_mismatch", message, public: false }],
      attention: [{ code: "payment_mismatch", message }],
    },
    now,
  );
}

function chargeChange(
  record: OrderRecord,
  row: Transaction | undefined,
  payment: GatewayPayment,
  given: MoneyGiven,
): OrderChange | undefined {
  const at = given.now.toISOString();
  const before = row ?? openedCharge(payment, at);
  const state = furthest(chargeRank, before.state, chargeState[payment.state]);
  if (row && state === row.state) return undefined;
  const after = { ...before, state, at };
  if (state === "succeeded") return receiveMoney(record, after, given);
  return changeOf(record, { transactions: [after], ...declined(payment) }, given.now);
}

/** Whoever knows the order's number may read what is public; why a bank declines is the buyer's affair. */
function declined({ state, decline_reason }: GatewayPayment): Step {
  if (state !== "failed") return {};
  const asked = "Your payment did not go through. Please try again, or pay in another way.";
  const why = `The gateway declined the payment: ${decline_reason}`;
  return {
    entries: [
      { type: "payment_failed", message: asked, public: true },
      ...(decline_reason === null
        ? []
        : [{ type: "payment_declined", message: why, public: false }]),
    ],
  };
}

function refundChange(
  record: OrderRecord,
  payment: GatewayPayment,
  now: Date,
): OrderChange | undefined {
  for (const refund of payment.refunds) {
    const change = settleRefund(record, payment.id, refund, now);
    if (change) return change;
  }
  return undefined;
}

/** What the gateway's word on a refund does to its order; undefined: nothing that the order does not know. */
export function settleRefund(
  record: OrderRecord,
  paymentId: string,
  refund: GatewayRefund,
  now: Date,
): OrderChange | undefined {
  const at = now.toISOString();
  const id = refund.transaction_id ?? ledgerId(refund.id);
  const row = record.rows.transactions.find((each) => each.id === id);
  const before = row ?? foreignRefund(id, paymentId, refund, at);
  const state = furthest(refundRank, before.state, refund.state);
  if (row && state === row.state && row.provider_ref !== null) return undefined;
  const after = { ...before, state, provider_ref: refund.id, at };
  return changeOf(record, { transactions: [after], ...refundStep(record, before, after) }, now);
}

/** A refund that somebody made in the gateway's own pages. */
function foreignRefund(
  id: string,
  paymentId: string,
  { id: provider_ref, amount }: GatewayRefund,
  at: string,
): Transaction {
  return {
    id,
    type: "refund",
    state: "pending",
    amount,
    method: "gateway",
    provider_ref,
    charge_id: ledgerId(paymentId),
    items: [],
    reason: "Made at the gateway",
    received_on: null,
    batch_id: null,
    at,
  };
}

/** States of an order whose buyer was told that the money comes back. */
const over: ReadonlySet<OrderStatus> = new Set(["cancelled", "expired"]);

const bounced = {
  type: "refund_failed",
  message: "A refund did not go through. We will get in touch with you about it.",
  public: true,
} as const;

/** What is told of a refund when its state changes. */
export function refundStep(
  { order }: Pick<OrderRecord, "order">,
  before: Pick<Transaction, "state">,
  { id, state }: Pick<Transaction, "id" | "state">,
): Step {
  if (state === before.state || state === "pending") return {};
  if (state === "failed") {
    const message = "A refund did not reach the buyer. It has to be made in another way.";
    // Of another one only whoever asked for it knows, and sees the answer: to its buyer it never was.
    const wasTold = before.state === "succeeded" || over.has(order.status);
    return {
      entries: [
        ...(wasTold ? [bounced] : []),
        { type: "refund_to_repeat", message, public: false },
      ],
      attention: [{ code: "refund_failed", message }],
      tells: wasTold
        ? [{ type: "order_refund_failed", order_id: order.id, transaction_id: id }]
        : [],
    };
  }
  return {
    entries: [{ type: "refunded", message: "We have given money back to you.", public: true }],
    tells: [{ type: "order_refunded", order_id: order.id, transaction_id: id }],
  };
}
