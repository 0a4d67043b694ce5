import type { StoredOrder } from "../order/order.ts";
import { isBeforeDispatch } from "../order/status/order-states.ts";

/**
 * Whether an order holds stock without payment: it awaits payment, or is cash on delivery and not shipped. An order with
 * a paid deposit is not open, even if its balance is paid in cash.
 */
export const isOpenOrder = ({
  status,
  payment_method,
  deposit,
}: Pick<StoredOrder, "status" | "payment_method" | "deposit">): boolean =>
  status === "pending_payment" ||
  (payment_method === "cod" && deposit === null && isBeforeDispatch(status));

/** The period in which open orders from one IP address are counted. */
export const openingsWindowMs = 24 * 3_600_000;

/**
 * The times of orders that still count against the limit of an IP address, oldest first.
 *
 * @param opened Unix seconds
 */
export const recentOpenings = (opened: readonly number[], now: Date): number[] =>
  opened
    .filter((at) => at * 1000 > now.getTime() - openingsWindowMs)
    .sort((one, other) => one - other);
