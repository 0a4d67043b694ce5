import type { OrderRecord, StoredOrder } from "./order.ts";
import { completionAt } from "./lapse-order.ts";
import { openGatewayRefunds } from "./refunds.ts";
import type { Timestamp } from "./text.ts";

/** How long a payment that nobody told us of may stay unknown. */
const reconcileMs = 5 * 60_000;
/** The same once nobody waits for it any more: a bank that takes its time, a refund under way. */
const laterMs = 60 * 60_000;
/** How long an order that does not change any more is asked about. */
const patienceMs = 7 * 86_400_000;

const inMs = (now: Date, ms: number): Timestamp => new Date(now.getTime() + ms).toISOString();

/** When an unpaid order has to be looked at next: at the latest when it lapses. Null: it does not lapse. */
export function nextLook(
  { status, payment_method, expires_at }: StoredOrder,
  now: Date,
): Timestamp | null {
  if (status !== "pending_payment" || expires_at === null) return null;
  if (payment_method !== "gateway") return expires_at;
  const soon = inMs(now, reconcileMs);
  return soon < expires_at ? soon : expires_at;
}

/**
 * The same for an order in any state that has just been looked at.
 *
 * @param completedAfterDays null: it was not delivered when it was looked at; whoever delivers it says when to look
 */
export function nextLookAfter(
  record: OrderRecord,
  completedAfterDays: number | null,
  now: Date,
): Timestamp | null {
  const { order, rows } = record;
  const soon = nextLook(order, now);
  if (soon !== null) return soon;
  const { status, delivered_at } = order;
  if (status === "delivered" && delivered_at !== null && completedAfterDays !== null) {
    return completionAt(delivered_at, completedAfterDays);
  }
  const isOpen =
    openGatewayRefunds(rows.transactions).length > 0 ||
    rows.transactions.some(
      ({ type, state, method }) => type === "charge" && state === "pending" && method === "gateway",
    );
  const isFresh = now.getTime() - Date.parse(order.updated_at) < patienceMs;
  return isOpen && isFresh ? inMs(now, laterMs) : null;
}
