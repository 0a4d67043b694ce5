import { changeOf, eachSku, type OrderChange } from "./order-change.ts";
import type { OrderRecord } from "./order.ts";
import { owedBySku } from "./order-units.ts";
import { type OrderStatus, allowedTransitions, canMove, orderMachine } from "./order-states.ts";
import { refundAll } from "../payment/refunds.ts";
import { release } from "../catalog/stock.ts";

export type Canceller = "customer" | "staff";

/** States that a customer may still leave without asking: later somebody has begun to build or to pack. */
const customersOwn: ReadonlySet<OrderStatus> = new Set(["pending_payment", "confirmed"]);

/** Whether nobody has begun to build or pack it. */
const isUntouched = ({ order, rows }: OrderRecord): boolean =>
  customersOwn.has(order.status) && rows.shipments.every(({ status }) => status === "pending");

export type Cancellation =
  /** It was cancelled before: a repeat changes nothing. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly OrderStatus[] }
  | { readonly kind: "cancelled"; readonly change: OrderChange };

/** What a step needs from outside. */
export interface StepGiven {
  readonly now: Date;
  /** For a row of the ledger. */
  newTransactionId(): string;
}

/**
 * Cancels an order, if it is in a state that the canceller may end. What it held is free again; what was paid is given
 * back: by the gateway as soon as the order is looked at, the rest when staff have made the transfer.
 */
export function cancelOrder(
  record: OrderRecord,
  by: Canceller,
  { now, newTransactionId }: StepGiven,
): Cancellation {
  const { order } = record;
  if (order.status === "cancelled") return { kind: "already" };
  const may = by === "staff" || isUntouched(record);
  if (!may || !canMove(orderMachine, order.status, "cancelled")) {
    const allowed = allowedTransitions(orderMachine, order.status);
    return { kind: "refused", allowed: by === "staff" ? allowed : [] };
  }
  const at = now.toISOString();
  const refunds = refundAll(record, "The order was cancelled", { newId: newTransactionId, at });
  const manual = refunds.some(({ method }) => method !== "gateway");
  const change = changeOf(
    record,
    {
      set: { status: "cancelled", expires_at: null },
      entries: [{ type: "cancelled", message: sentence(by, refunds.length > 0), public: true }],
      transactions: refunds,
      stock: eachSku(owedBySku(record), release),
      tells: [{ type: "order_cancelled", order_id: order.id }],
      // The gateway's payment that was still open is ended then, too.
      lookAt: [at],
      attention: manual ? [owedByHand] : [],
    },
    now,
  );
  return { kind: "cancelled", change };
}

/** What was paid for an order that is no more has to be given back by staff. */
export const owedByHand = {
  code: "refund_to_make",
  message: "What was paid in cash or by transfer has to be given back.",
} as const;

function sentence(by: Canceller, refunded: boolean): string {
  const who =
    by === "customer" ? "The order was cancelled as you asked." : "We have cancelled the order.";
  return refunded ? `${who} You get back what you have paid.` : who;
}
