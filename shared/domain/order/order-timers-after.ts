import { completionAt } from "./expire-order.ts";
import { inMs, nextCheckAt } from "./order-timers.ts";
import type { OrderRecord } from "./order.ts";
import { openGatewayRefunds } from "../payment/refunds.ts";
import type { Timestamp } from "../base/text.ts";

/** How soon an order is asked about that nobody waits for any more: a bank that takes its time, a refund under way. */
const laterMs = 60 * 60_000;
/** How long an order that does not change any more is asked about. */
const patienceMs = 7 * 86_400_000;

/**
 * When an order in any state that has just been looked at is looked at next; null: never.
 *
 * @param completedAfterDays null: it was not delivered when it was looked at; whoever delivers it says when to look
 */
export function nextCheckAfter(
  record: OrderRecord,
  completedAfterDays: number | null,
  now: Date,
): Timestamp | null {
  const { order, rows } = record;
  const soon = nextCheckAt(order, now);
  if (soon !== null) return soon;
  const { status, delivered_at } = order;
  const completion =
    status === "delivered" && delivered_at !== null && completedAfterDays !== null
      ? completionAt(delivered_at, completedAfterDays)
      : null;
  const isOpen =
    openGatewayRefunds(rows.transactions).length > 0 ||
    rows.transactions.some(
      ({ type, state, method }) => type === "charge" && state === "pending" && method === "gateway",
    );
  const isFresh = now.getTime() - Date.parse(order.updated_at) < patienceMs;
  const asked = isOpen && isFresh ? inMs(now, laterMs) : null;
  return asked !== null && (completion === null || asked < completion) ? asked : completion;
}
