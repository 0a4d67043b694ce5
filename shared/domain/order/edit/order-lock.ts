import type { OrderRecord } from "../order.ts";
import { type OrderStatus, isUnfulfilled } from "../status/order-states.ts";
import { isPlannable } from "./slot-choice.ts";

/** Why an order's slot or address cannot change now. */
export type LockReason = "ended" | "dispatched" | "not_ready" | "too_late";

/** Why the address and the contact of an order with this status cannot change. */
export const addressLock = (status: OrderStatus): LockReason =>
  status === "shipped" || status === "delivered" ? "dispatched" : "ended";

/** Why the slot of an order cannot be chosen or changed. */
export function slotLock(record: OrderRecord): LockReason {
  const { status } = record.order;
  if (status === "completed" || isUnfulfilled(status)) return "ended";
  if (isPlannable(record)) return "too_late";
  return status === "shipped" || status === "delivered" ? "dispatched" : "not_ready";
}
