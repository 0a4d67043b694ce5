import type { Problem } from "../../base/names.ts";
import { hasUnsent, unitsOf } from "../ledger/order-units.ts";
import { changeOf } from "../order-change.ts";
import { type OrderRecord, type Shipment, isInTheMaking } from "../order.ts";
import {
  type OrderStatus,
  type ShipmentStatus,
  allowedTransitions,
  shipmentMachine,
} from "../status/order-states.ts";
import type { ShipmentInput } from "./shipment-input.ts";
import type { OrderChange, StaffStep } from "../order-step.ts";
import { isHeldForBalance } from "../../payment/payment-schedule.ts";
import * as z from "zod";

/** Order statuses in which shipments can be prepared. */
const preparing: ReadonlySet<OrderStatus> = new Set([
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
]);

const mayPrepare = ({ order }: OrderRecord): boolean => preparing.has(order.status);

/**
 * Creates a shipment of units that no other shipment contains. The result is `refused` if the order's status does not
 * allow shipping.
 */
export function prepareShipment(
  record: OrderRecord,
  { items, carrier = null, tracking_number = null, tracking_url = null }: ShipmentInput,
  { id, now }: { id: string; now: Date },
): ShipmentStep {
  if (!mayPrepare(record)) return { kind: "refused", allowed: [] };
  const free = openUnits(record);
  const all = Array.from(free, ([lineId, quantity]) => ({ id: lineId, quantity }));
  const chosen = items ?? all.filter(({ quantity }) => quantity > 0);
  const problems = chosen.length === 0 ? [nothingLeft(record)] : problemsOf(chosen, free);
  if (problems.length > 0) return { kind: "invalid", problems };
  const shipment: Shipment = {
    id,
    status: "pending",
    items: chosen,
    carrier,
    tracking_number,
    tracking_url,
    dispatched_at: null,
    delivered_at: null,
    slot: null,
  };
  const change = changeOf(
    record,
    {
      shipments: [shipment],
      entries: [{ type: "shipment_created", message: shipmentCreated(chosen), public: false }],
    },
    now,
  );
  return { kind: "changed", change, shipment };
}

function shipmentCreated(items: Shipment["items"]): string {
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return `A shipment of ${units} ${units === 1 ? "unit" : "units"} was created.`;
}

/** The open units of every line. Those of a line that is not made yet cannot be packed. */
function openUnits(record: OrderRecord): Map<string, number> {
  const making = new Set(record.order.items.filter(isInTheMaking).map(({ id }) => id));
  return new Map(Array.from(unitsOf(record), ([id, { open }]) => [id, making.has(id) ? 0 : open]));
}

function nothingLeft(record: OrderRecord): Problem {
  const isMaking = record.order.items.some(isInTheMaking);
  const packed = isMaking
    ? "Every other unit is in a shipment. Mark the lines that are made as ready."
    : "Every unit is already in a shipment.";
  return {
    path: "items",
    message: hasUnsent(record) ? packed : "There is nothing left to ship.",
  };
}

function problemsOf(items: Shipment["items"], free: ReadonlyMap<string, number>): Problem[] {
  return items.flatMap(({ id, quantity }, position) => {
    const left = free.get(id);
    if (left === undefined) {
      return { path: `items.${position}.id`, message: "The selected id is invalid." };
    }
    if (quantity <= left) return [];
    return { path: `items.${position}.quantity`, message: leftToSend(left) };
  });
}

function leftToSend(units: number): string {
  if (units === 0) return "No units are left to ship.";
  return units === 1 ? "Only 1 unit is left to ship." : `Only ${units} units are left to ship.`;
}

/** Why a shipment cannot have other units. */
export function repackingProblems(
  record: OrderRecord,
  shipment: Shipment,
  items: Shipment["items"],
): Problem[] {
  if (shipment.status !== "pending") {
    return [
      { path: "items", message: "The shipment is already packed. Its items can no longer change." },
    ];
  }
  const free = openUnits(record);
  for (const { id, quantity } of shipment.items) free.set(id, (free.get(id) ?? 0) + quantity);
  return problemsOf(items, free);
}

/** The outcome of a step of a shipment. */
export type ShipmentStep =
  /** Nothing would change. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly ShipmentStatus[] }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] }
  /** The units may leave only when the order's balance is paid, waived or paid on delivery. */
  | { readonly kind: "balance_due"; readonly allowed: readonly ShipmentStatus[] }
  | { readonly kind: "changed"; readonly change: OrderChange; readonly shipment: Shipment };

/** Order statuses in which shipments can leave. */
const sending: ReadonlySet<OrderStatus> = new Set(["ready_to_dispatch", "shipped"]);

/** The statuses that a shipment may have next. */
export const shipmentMoves = (record: OrderRecord, shipment: Shipment): ShipmentStatus[] =>
  movesByUnits(record, shipment).filter((to) => !isKeptBack(record, shipment, to));

/** Whether the dispatch of a shipment has to wait for the order's balance. */
const isKeptBack = ({ order }: OrderRecord, shipment: Shipment, to: ShipmentStatus): boolean =>
  to === "out_for_delivery" && shipment.dispatched_at === null && isHeldForBalance(order);

/** The statuses that may follow, whether or not money is due. */
export function movesByUnits(record: OrderRecord, shipment: Shipment): ShipmentStatus[] {
  return allowedTransitions(shipmentMachine, shipment.status).filter((to) => {
    switch (to) {
      case "packed":
        return mayPrepare(record);
      case "out_for_delivery":
        return sending.has(record.order.status);
      case "cancelled":
        // A shipment is cancelled only when all its units are taken off.
        return false;
      default:
        return true;
    }
  });
}

/** `PATCH /admin/orders/{id}/lines/{line}`. */
export const LinePatch = z.strictObject({ ready: z.literal(true) });
export type LinePatch = z.output<typeof LinePatch>;

/** Marks an added line that is made to order as ready to be packed. */
export function readyLine(record: OrderRecord, id: string, now: Date): StaffStep {
  const { items, status: from } = record.order;
  const line = items.find((item) => item.id === id);
  if (!line) return { kind: "unknown" };
  if (line.ready_at !== null) return { kind: "already" };
  if (!isInTheMaking(line)) {
    return {
      kind: "refused",
      from,
      message: "Only an added line that is made to order is marked as ready.",
    };
  }
  if (!mayPrepare(record)) {
    return { kind: "refused", from, message: "In its current state the order cannot be packed." };
  }
  const ready_at = now.toISOString();
  const set = { items: items.map((item) => (item === line ? { ...item, ready_at } : item)) };
  const entries = [{ type: "line_ready", message: `${line.name} is ready.`, public: true }];
  return { kind: "changed", change: changeOf(record, { set, entries }, now) };
}
