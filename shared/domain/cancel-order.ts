import type { StoredOrder, TimelineEntry } from "./order.ts";
import { type OrderStatus, allowedTransitions, canMove, orderMachine } from "./order-states.ts";
import { type Transaction, refundDue } from "./payment.ts";

export type Canceller = "customer" | "staff";

/** States that a customer may still leave without asking: later somebody has begun to build or to pack. */
const customersOwn: ReadonlySet<OrderStatus> = new Set(["pending_payment", "confirmed"]);

export type Cancellation =
  /** It was cancelled before: a repeat changes nothing. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly OrderStatus[] }
  | {
      readonly kind: "cancelled";
      readonly order: StoredOrder;
      readonly entry: TimelineEntry;
      /** What is to be given back, for staff or the gateway to settle; null: nothing was paid. */
      readonly refund: Transaction | null;
    };

/**
 * Cancels an order, if it is in a state that the canceller may end.
 *
 * @param refundId for the refund, if one is due
 */
export function cancelOrder(
  order: StoredOrder,
  ledger: readonly Transaction[],
  by: Canceller,
  { refundId, now }: { refundId: string; now: Date },
): Cancellation {
  if (order.status === "cancelled") return { kind: "already" };
  const may = by === "staff" || customersOwn.has(order.status);
  if (!may || !canMove(orderMachine, order.status, "cancelled")) {
    const allowed = allowedTransitions(orderMachine, order.status);
    return { kind: "refused", allowed: by === "staff" ? allowed : [] };
  }
  const at = now.toISOString();
  const amount = refundDue(ledger);
  return {
    kind: "cancelled",
    order: {
      ...order,
      status: "cancelled",
      expires_at: null,
      version: order.version + 1,
      updated_at: at,
    },
    entry: { at, type: "cancelled", message: sentence(by, amount > 0), public: true },
    refund:
      amount > 0
        ? {
            id: refundId,
            type: "refund",
            state: "pending",
            amount,
            method: order.payment_method,
            provider_ref: null,
            at,
          }
        : null,
  };
}

function sentence(by: Canceller, refunded: boolean): string {
  const who =
    by === "customer" ? "The order was cancelled as you asked." : "We have cancelled the order.";
  return refunded ? `${who} You get back what you have paid.` : who;
}
