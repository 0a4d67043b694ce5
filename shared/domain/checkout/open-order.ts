import type { StoredOrder } from "../order/order.ts";
import type { OrderStatus } from "../order/order-states.ts";

const beforeDispatch: ReadonlySet<OrderStatus> = new Set([
  "confirmed",
  "in_production",
  "ready_to_dispatch",
]);

/** Whether an order holds its goods for no money: it awaits payment, or is cash on delivery and not shipped. */
export const isOpenOrder = ({
  status,
  payment_method,
}: Pick<StoredOrder, "status" | "payment_method">): boolean =>
  status === "pending_payment" || (payment_method === "cod" && beforeDispatch.has(status));

/** The period in which orders that were opened from one IP are counted. */
export const openingsWindowMs = 24 * 3_600_000;

/**
 * Those of these moments that still count against an IP, oldest first.
 *
 * @param opened Unix seconds
 */
export const recentOpenings = (opened: readonly number[], now: Date): number[] =>
  opened
    .filter((at) => at * 1000 > now.getTime() - openingsWindowMs)
    .sort((one, other) => one - other);
