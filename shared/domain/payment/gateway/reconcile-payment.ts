import type { GatewayPayment, GatewayRefund } from "./gateway-payment.ts";
import { changeOf } from "../../order/order-change.ts";
import type { OrderChange, Step } from "../../order/order-step.ts";
import type { OrderStatus } from "../../order/status/order-states.ts";
import type { OrderRecord } from "../../order/order.ts";
import { ledgerId, openedCharge } from "./opened-charge.ts";
import type { LedgerRow, Transaction } from "../payment.ts";
import { disputeChange } from "./reconcile-dispute.ts";
import { amountToCharge } from "../rounding.ts";
import { type MoneyContext, receiveMoney } from "../receive-money.ts";

export type Reconciliation =
  /** The order already reflects the payment's current state. */
  | { readonly kind: "known" }
  /**
   * The payment does not match the order: another amount, currency or order. `change` notifies staff; null if they were
   * notified before, or no money was captured.
   */
  | { readonly kind: "mismatch"; readonly change: OrderChange | null }
  /** One difference was applied. There may be more, so the payment is reconciled again with the changed order. */
  | { readonly kind: "changed"; readonly change: OrderChange };

type State = Transaction["state"];

/**
 * The rank of each state. A state only moves to a higher rank: a declined payment may still succeed, and a completed
 * refund may still fail.
 */
const chargeRank: Readonly<Record<State, number>> = {
  pending: 0,
  failed: 1,
  succeeded: 2,
  voided: 3,
};
const refundRank: Readonly<Record<State, number>> = {
  pending: 0,
  succeeded: 1,
  failed: 2,
  voided: 3,
};

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
 * Reconciles an order with the current state of a gateway payment. Confirm requests, webhooks and scheduled checks all
 * use this function. It reads only the payment's current state, and a state never moves back. So it may be called
 * repeatedly, late and in any order.
 */
export function reconcilePayment(
  record: OrderRecord,
  payment: GatewayPayment,
  context: MoneyContext,
): Reconciliation {
  const row = record.rows.transactions.find(({ id }) => id === ledgerId(payment.id));
  if (!agrees(record, row, payment)) {
    return { kind: "mismatch", change: mismatch(record, payment, context.now) };
  }
  const change =
    chargeChange(record, row, payment, context) ??
    refundChange(record, payment, context.now) ??
    disputeChange(record, payment, context.now);
  return change ? { kind: "changed", change } : { kind: "known" };
}

function agrees({ order }: OrderRecord, row: Transaction | undefined, payment: GatewayPayment) {
  const amount = row?.amount ?? amountToCharge(order);
  const received = payment.state === "succeeded" ? payment.received : amount;
  return (
    payment.order_id === order.id &&
    payment.currency === order.currency &&
    payment.amount === amount &&
    received === amount
  );
}

function mismatch(record: OrderRecord, payment: GatewayPayment, now: Date): OrderChange | null {
  // Until money was captured, staff have nothing to decide.
  if (payment.state !== "succeeded") return null;
  const message =
    `The gateway's payment ${payment.id} differs from what was agreed: ${payment.received} ` +
    `${payment.currency} in minor units.`;
  // Staff were notified before, even if they have cleared the attention flag since.
  if (record.rows.timeline.some((entry) => entry.message === message)) return null;
  return changeOf(
    record,
    {
      entries: [{ type: "payment_mismatch", message, public: false }],
      attention: [{ code: "payment_mismatch", message, about: ledgerId(payment.id) }],
    },
    now,
  );
}

function chargeChange(
  record: OrderRecord,
  row: Transaction | undefined,
  payment: GatewayPayment,
  context: MoneyContext,
): OrderChange | undefined {
  const at = context.now.toISOString();
  const before = row ?? openedCharge(payment, at);
  const state = furthest(chargeRank, before.state, chargeState[payment.state]);
  if (row && state === row.state) return undefined;
  const after = { ...before, state, at };
  if (state === "succeeded") return receiveMoney(record, after, context);
  return changeOf(record, { transactions: [after], ...declined(payment) }, context.now);
}

/** Anybody with the order number may read public entries, so they do not say why a bank declined. */
function declined({ state, decline_reason }: GatewayPayment): Step {
  if (state !== "failed") return {};
  const failureMessage = "Your payment failed. Please try again or choose another payment method.";
  const why = `The gateway declined the payment: ${decline_reason}`;
  return {
    entries: [
      { type: "payment_failed", message: failureMessage, public: true },
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
    const change = reconcileRefund(record, payment.id, refund, now);
    if (change) return change;
  }
  return undefined;
}

/** The effect of a gateway refund on its order; undefined if nothing is new. */
export function reconcileRefund(
  record: OrderRecord,
  paymentId: string,
  refund: GatewayRefund,
  now: Date,
): OrderChange | undefined {
  const at = now.toISOString();
  const id =
    refund.id === null ? refund.transaction_id : (refund.transaction_id ?? ledgerId(refund.id));
  const row = record.rows.transactions.find((each) => each.id === id);
  const before: LedgerRow = row ?? foreignRefund(id, paymentId, refund, at);
  const state = furthest(refundRank, before.state, refund.state);
  const isKnown = row?.state === state && (row.provider_ref !== null || state === "failed");
  if (isKnown) return undefined;
  const { refusal } = refund;
  const after: LedgerRow = {
    ...before,
    state,
    provider_ref: refund.id,
    at,
    ...(state === "failed" && refusal && { refusal }),
  };
  return changeOf(record, { transactions: [after], ...refundStep(record, before, after) }, now);
}

/** A refund that was made in the gateway's dashboard. */
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
    tender: null,
    provider_ref,
    charge_id: ledgerId(paymentId),
    items: [],
    reason: "Made at the gateway",
    received_on: null,
    batch_id: null,
    at,
  };
}

/** Statuses of ended orders. Their refunds were announced to the buyer when the order ended. */
const over: ReadonlySet<OrderStatus> = new Set(["cancelled", "expired"]);

const bounced = {
  type: "refund_failed",
  message: "A refund failed. We will contact you about it.",
  public: true,
} as const;

/**
 * The step of a refund whose state changes: its timeline entries and mails. What the letter of a change has said is not
 * mailed again, unless the order has ended since and the refund may have a voucher.
 */
export function refundStep(
  { order }: Pick<OrderRecord, "order">,
  before: Pick<Transaction, "state">,
  { id, state, announced, refusal }: Pick<LedgerRow, "id" | "state" | "announced" | "refusal">,
): Step {
  if (state === before.state || state === "pending") return {};
  if (state === "failed") {
    const message = [
      "A refund did not reach the buyer. Refund it in another way.",
      ...(refusal ? [`The gateway's reason: ${refusal.reason}`] : []),
    ].join(" ");
    // A refund that was not announced is known only to its requester, and the response shows that it failed.
    const wasAnnounced =
      announced === true || before.state === "succeeded" || over.has(order.status);
    return {
      entries: [
        ...(wasAnnounced ? [bounced] : []),
        { type: "refund_to_repeat", message, public: false },
      ],
      attention: [{ code: "refund_failed", message, about: id }],
      events: wasAnnounced
        ? [{ type: "order_refund_failed", order_id: order.id, transaction_id: id }]
        : [],
    };
  }
  return {
    entries: [{ type: "refunded", message: "We have refunded you.", public: true }],
    events:
      announced === undefined || over.has(order.status)
        ? [{ type: "order_refunded", order_id: order.id, transaction_id: id }]
        : [],
  };
}
