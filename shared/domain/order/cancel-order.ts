import { changeOf, eachSku, type OrderChange } from "./order-change.ts";
import type { OrderRecord } from "./order.ts";
import { owedBySku } from "./order-units.ts";
import { type OrderStatus, allowedTransitions, canMove, orderMachine } from "./order-states.ts";
import { refundAll } from "../payment/refunds.ts";
import { release } from "../catalog/stock.ts";

export type Canceller = "customer" | "staff";

/** Statuses in which a customer may cancel. Later, production or packing has begun. */
const customersOwn: ReadonlySet<OrderStatus> = new Set(["pending_payment", "confirmed"]);

/** Whether neither production nor packing has begun. */
const isUntouched = ({ order, rows }: OrderRecord): boolean =>
  customersOwn.has(order.status) && rows.shipments.every(({ status }) => status === "pending");

/** Whether the canceller may cancel the order now. */
export const mayCancel = (record: OrderRecord, by: Canceller): boolean =>
  (by === "staff" || isUntouched(record)) &&
  canMove(orderMachine, record.order.status, "cancelled");

export type Cancellation =
  /** The order is already cancelled: a repeat changes nothing. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly OrderStatus[] }
  | { readonly kind: "cancelled"; readonly change: OrderChange };

/** The inputs of a step besides the order. */
export interface StepContext {
  readonly now: Date;
  /** Creates the id of a ledger row. */
  newTransactionId(): string;
}

/**
 * Cancels an order, if its status allows the canceller to do so. Its stock is released. Captured money is refunded:
 * gateway payments at the next scheduled check, cash and bank transfers once staff have paid the money back.
 */
export function cancelOrder(
  record: OrderRecord,
  by: Canceller,
  { now, newTransactionId }: StepContext,
): Cancellation {
  const { order } = record;
  if (order.status === "cancelled") return { kind: "already" };
  if (!mayCancel(record, by)) {
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
      events: [{ type: "order_cancelled", order_id: order.id }],
      // The check at once makes gateway refunds, and cancels an open gateway payment.
      checksAt: [at],
      attention: manual ? [owedByHand] : [],
    },
    now,
  );
  return { kind: "cancelled", change };
}

/** The attention flag of an ended order whose payment staff have to refund by hand. */
export const owedByHand = {
  code: "refund_to_make",
  message: "The cash or transfer payment must be refunded manually.",
} as const;

function sentence(by: Canceller, refunded: boolean): string {
  const who =
    by === "customer" ? "The order was cancelled as you asked." : "We have cancelled the order.";
  return refunded ? `${who} We will refund what you have paid.` : who;
}
