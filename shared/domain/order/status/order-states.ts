import * as z from "zod";

export const OrderStatus = z.enum([
  "pending_payment",
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
  "delivered",
  "completed",
  "expired",
  "cancelled",
  "returned",
]);
export type OrderStatus = z.output<typeof OrderStatus>;

const unfulfilled: ReadonlySet<OrderStatus> = new Set(["cancelled", "expired", "returned"]);

/** Whether an order with this status ended without a sale, so that the shop owes no units and expects no money. */
export const isUnfulfilled = (status: OrderStatus): boolean => unfulfilled.has(status);

const beforeDispatch: ReadonlySet<OrderStatus> = new Set([
  "confirmed",
  "in_production",
  "ready_to_dispatch",
]);

/** Whether an order with this status is confirmed and nothing of it was sent. */
export const isBeforeDispatch = (status: OrderStatus): boolean => beforeDispatch.has(status);

export const ShipmentStatus = z.enum([
  "pending",
  "packed",
  "out_for_delivery",
  "delivered",
  "delivery_failed",
  "returned_to_origin",
  "cancelled",
]);
export type ShipmentStatus = z.output<typeof ShipmentStatus>;

/** Every status, with the statuses that may follow it. */
export type Machine<State extends string> = Readonly<Record<State, readonly State[]>>;

export const orderMachine: Machine<OrderStatus> = {
  pending_payment: ["confirmed", "expired", "cancelled"],
  // Orders from stock skip production.
  confirmed: ["in_production", "ready_to_dispatch", "cancelled"],
  in_production: ["ready_to_dispatch", "cancelled"],
  ready_to_dispatch: ["shipped", "cancelled"],
  shipped: ["delivered", "returned"],
  delivered: ["completed", "returned"],
  completed: ["returned"],
  // An expired order is confirmed only by a late payment, and only if its stock is available.
  expired: ["confirmed"],
  cancelled: [],
  returned: [],
};

export const shipmentMachine: Machine<ShipmentStatus> = {
  // A shipment whose units were all taken off is cancelled.
  pending: ["packed", "cancelled"],
  packed: ["out_for_delivery", "cancelled"],
  out_for_delivery: ["delivered", "delivery_failed"],
  delivered: [],
  delivery_failed: ["out_for_delivery", "returned_to_origin"],
  returned_to_origin: [],
  cancelled: [],
};

/** The statuses that may follow a status. */
export function allowedTransitions<State extends string>(
  machine: Machine<State>,
  from: State,
): readonly State[] {
  return machine[from];
}

/**
 * Whether `machine` contains a transition. No status has a transition to itself: callers treat such a change as already
 * done.
 */
export function canMove<State extends string>(
  machine: Machine<State>,
  from: State,
  to: State,
): boolean {
  return machine[from].includes(to);
}
