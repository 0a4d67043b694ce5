import type { OrderRecord } from "../order.ts";
import type { OrderStatus } from "../status/order-states.ts";

/** How long the link in an order's mails opens an order that has ended. */
const openForMs = 30 * 86_400_000;

const ended: ReadonlySet<OrderStatus> = new Set(["completed", "cancelled", "expired", "returned"]);

/**
 * When the link in the mails of a guest's order ends: 30 days after the order was completed, or ended in another way.
 * Null while the order has not ended.
 */
export function linkEndsAt({ order, rows }: OrderRecord): Date | null {
  if (!ended.has(order.status)) return null;
  const entry = rows.timeline.findLast(({ type }) => type === order.status);
  return new Date(Date.parse(entry?.at ?? order.updated_at) + openForMs);
}
