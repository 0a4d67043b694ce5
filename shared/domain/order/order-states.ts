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

/** Whether it has ended without a sale: neither goods nor money are waited for any more. */
export const isUnfulfilled = (status: OrderStatus): boolean => unfulfilled.has(status);

export const ShipmentStatus = z.enum([
  "pending",
  "packed",
  "out_for_delivery",
  "delivered",
  "delivery_failed",
  "returned_to_origin",
]);
export type ShipmentStatus = z.output<typeof ShipmentStatus>;

/** Every state and the states it may be left for. */
export type Machine<State extends string> = Readonly<Record<State, readonly State[]>>;

export const orderMachine: Machine<OrderStatus> = {
  pending_payment: ["confirmed", "expired", "cancelled"],
  // Stock-only orders skip production.
  confirmed: ["in_production", "ready_to_dispatch", "cancelled"],
  in_production: ["ready_to_dispatch", "cancelled"],
  ready_to_dispatch: ["shipped", "cancelled"],
  shipped: ["delivered", "returned"],
  delivered: ["completed", "returned"],
  completed: [],
  // Only by a payment that arrives late and finds stock.
  expired: ["confirmed"],
  cancelled: [],
  returned: [],
};

export const shipmentMachine: Machine<ShipmentStatus> = {
  pending: ["packed"],
  packed: ["out_for_delivery"],
  out_for_delivery: ["delivered", "delivery_failed"],
  delivered: [],
  delivery_failed: ["out_for_delivery", "returned_to_origin"],
  returned_to_origin: [],
};

/** Where the machine may go from a state. */
export function allowedTransitions<State extends string>(
  machine: Machine<State>,
  from: State,
): readonly State[] {
  return machine[from];
}

/** Whether a move is in the table; staying is not a move, but callers treat a repeat as done. */
export function canMove<State extends string>(
  machine: Machine<State>,
  from: State,
  to: State,
): boolean {
  return machine[from].includes(to);
}
