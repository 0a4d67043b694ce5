import { describe, expect, test } from "vitest";
import {
  allowedTransitions,
  canMove,
  type Machine,
  orderMachine,
  OrderStatus,
  shipmentMachine,
  ShipmentStatus,
} from "#shared/domain/order/status/order-states.ts";

function reachable<State extends string>(machine: Machine<State>, start: State): Set<State> {
  const seen = new Set<State>();
  const open = [start];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    open.push(...allowedTransitions(machine, state));
  }
  return seen;
}

const orderEdges = new Set([
  "pending_payment>confirmed",
  "pending_payment>expired",
  "pending_payment>cancelled",
  "expired>confirmed",
  "confirmed>in_production",
  "confirmed>ready_to_dispatch",
  "confirmed>cancelled",
  "in_production>ready_to_dispatch",
  "in_production>cancelled",
  "ready_to_dispatch>shipped",
  "ready_to_dispatch>cancelled",
  "shipped>delivered",
  "shipped>returned",
  "delivered>completed",
  "delivered>returned",
  "completed>returned",
]);

const shipmentEdges = new Set([
  "pending>packed",
  "pending>cancelled",
  "packed>out_for_delivery",
  "packed>cancelled",
  "out_for_delivery>delivered",
  "out_for_delivery>delivery_failed",
  "delivery_failed>out_for_delivery",
  "delivery_failed>returned_to_origin",
]);

describe("the order state machine", () => {
  test("has no unreachable state", () => {
    expect(reachable(orderMachine, "pending_payment")).toEqual(new Set(OrderStatus.options));
  });

  const pairs = OrderStatus.options.flatMap((from) =>
    OrderStatus.options.map((to) => [from, to] as const),
  );
  test.each(pairs)("permits the transition from %s to %s only if it is specified", (from, to) => {
    expect(canMove(orderMachine, from, to)).toBe(orderEdges.has(`${from}>${to}`));
  });
});

describe("the shipment state machine", () => {
  test("has no unreachable state", () => {
    expect(reachable(shipmentMachine, "pending")).toEqual(new Set(ShipmentStatus.options));
  });

  const pairs = ShipmentStatus.options.flatMap((from) =>
    ShipmentStatus.options.map((to) => [from, to] as const),
  );
  test.each(pairs)("permits the transition from %s to %s only if it is specified", (from, to) => {
    expect(canMove(shipmentMachine, from, to)).toBe(shipmentEdges.has(`${from}>${to}`));
  });
});
