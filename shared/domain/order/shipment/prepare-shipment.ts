import type { Problem } from "../../base/names.ts";
import { hasUnsent, unitsOf } from "../ledger/order-units.ts";
import { changeOf } from "../order-change.ts";
import { type OrderRecord, type Shipment, isInTheMaking } from "../order.ts";
import type { OrderStatus } from "../status/order-states.ts";
import type { ShipmentInput } from "./shipment-input.ts";
import type { ShipmentStep } from "./shipment-step.ts";

/** Order statuses in which shipments can be prepared. */
const preparing: ReadonlySet<OrderStatus> = new Set([
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
]);

export const mayPrepare = ({ order }: OrderRecord): boolean => preparing.has(order.status);

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
