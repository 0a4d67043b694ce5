import * as z from "zod";
import { Currency, MoneySum } from "../../base/money.ts";
import { PostalAddress } from "../../contact/postal-address.ts";
import { OrderItem, type OrderRecord, type Shipment, StoredOrder } from "../order.ts";
import { isPacked, unitsOf } from "../ledger/order-units.ts";
import { valueOf, worthOfUnits } from "../ledger/order-value.ts";
import type { ShipmentStatus } from "../status/order-states.ts";
import { amountDue } from "../../payment/owing.ts";
import { cashFor } from "../../payment/rounding.ts";
import { buyersUnits } from "../returns/order-return.ts";
import { DeliverySlot, type Place, isSamePlace, shownSlot } from "../../delivery/delivery-slot.ts";

/** What the van has to know of an order that it delivers. */
export const Delivery = z
  .object({
    order: StoredOrder.pick({ id: true, number: true, status: true }),
    kind: z.enum(["delivery", "pickup", "send_back"]).meta({
      description: "`send_back`: what a return has refused or repaired",
    }),
    return: z.string().nullable().meta({
      description: "Id of the return whose goods are moved; null for a delivery",
    }),
    slot: DeliverySlot,
    state: z.enum(["planned", "on_the_way", "delivered", "failed"]).meta({
      description: "`planned`: the units are still to leave",
    }),
    shipment: z.string().nullable().meta({
      description: "Id of the shipment that has left; null while the visit is planned",
    }),
    method: StoredOrder.shape.shipping.shape.method,
    includes: StoredOrder.shape.shipping.shape.includes,
    address: PostalAddress,
    note: z.string().nullable(),
    items: z.array(
      OrderItem.pick({ sku: true, name: true, quantity: true }).extend({
        parcels: OrderItem.shape.parcels.unwrap().meta({ description: "The packages of one unit" }),
      }),
    ),
    parcel_count: z.int().meta({ description: "Packages of all units" }),
    weight_g: z.int(),
    currency: Currency,
    to_collect: MoneySum.meta({
      description:
        "Cash that the buyer pays at this visit: what is due, less the value of what later visits bring",
    }),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.output<typeof Delivery>;

/** What the van brings to an order at one time, or has brought. */
interface Visit {
  readonly state: Delivery["state"];
  readonly shipment: string | null;
  readonly slot: DeliverySlot | null;
  readonly units: ReadonlyMap<string, number>;
}

const stateOf: Partial<Record<ShipmentStatus, Delivery["state"]>> = {
  out_for_delivery: "on_the_way",
  delivered: "delivered",
  delivery_failed: "failed",
  returned_to_origin: "failed",
};

/**
 * The visits of an order that are planned for a place of a run, or have left for it. A visit has the units of its
 * shipment; before it leaves, those that are packed or, before packing, open. What was delivered before, taken off or
 * brought back is on no visit.
 */
export function deliveriesOf(record: OrderRecord, place: Place): Delivery[] {
  const visits = visitsOf(record);
  return visits.flatMap((visit) =>
    visit.slot && isSamePlace(visit.slot, place)
      ? [deliveryOf(record, visit, visit.slot, cashOf(record, visit, visits))]
      : [],
  );
}

/** All visits of an order, in the sequence in which they take place. */
function visitsOf(record: OrderRecord): Visit[] {
  const { order, rows } = record;
  const left = rows.shipments.flatMap((shipment): Visit[] => {
    const state = stateOf[shipment.status];
    const { id, slot, items } = shipment;
    return state ? [{ state, shipment: id, slot, units: unitsOfItems(items) }] : [];
  });
  const units = unitsToSend(record);
  const planned: Visit[] =
    units.size === 0
      ? []
      : [{ state: "planned", shipment: null, slot: shownSlot(order.slot), units }];
  return [...left, ...planned];
}

/** The units of the next visit: those that are packed or, before packing, open, and those whose delivery failed. */
function unitsToSend(record: OrderRecord): Map<string, number> {
  const { shipments } = record.rows;
  const units = unitsOf(record);
  const packed = shipments.filter(isPacked).flatMap(({ items }) => items);
  const open = Array.from(units, ([id, each]) => ({ id, quantity: each.open }));
  const failed = shipments
    .filter(({ status }) => status === "delivery_failed")
    .flatMap(({ items }) => items);
  return unitsOfItems([...(packed.length > 0 ? packed : open), ...failed]);
}

function unitsOfItems(items: Readonly<Shipment["items"]>): Map<string, number> {
  const units = new Map<string, number>();
  for (const { id, quantity } of items) {
    if (quantity > 0) units.set(id, (units.get(id) ?? 0) + quantity);
  }
  return units;
}

/**
 * The cash of a visit: what is due, less the value of what later visits bring, rounded for cash. The last visit takes the
 * rest.
 */
function cashOf(record: OrderRecord, visit: Visit, visits: readonly Visit[]): number {
  const { order } = record;
  const value = valueOf(record);
  const awaited = visits.filter(({ state }) => state === "on_the_way" || state === "planned");
  const position = awaited.indexOf(visit);
  if (order.payment_method !== "cod" || position < 0) return 0;
  const due = amountDue(order);
  const dueUntil = (count: number) =>
    cashFor(order, due - sum(awaited.slice(count).map(({ units }) => worthOfUnits(value, units))));
  return dueUntil(position + 1) - (position === 0 ? 0 : dueUntil(position));
}

/** The visits at a place of a run that collect a return, or bring back what stays its buyer's. */
export function returnVisitsOf(record: OrderRecord, returnId: string, place: Place): Delivery[] {
  const found = record.rows.returns.find(({ id }) => id === returnId);
  if (!found) return [];
  const { status, pickup, send_back, sent_back_at, items } = found;
  const visits = [
    { kind: "pickup", at: pickup, isMade: status !== "pickup_scheduled", items },
    { kind: "send_back", at: send_back, isMade: sent_back_at !== null, items: buyersUnits(items) },
  ] as const;
  return visits.flatMap(({ kind, at, isMade, items: moved }) => {
    const slot = shownSlot(at);
    if (!slot || !isSamePlace(slot, place)) return [];
    const state = isMade ? "delivered" : "planned";
    const visit: Visit = { state, shipment: null, slot, units: unitsOfItems(moved) };
    return [{ ...deliveryOf(record, visit, slot, 0), kind, return: found.id }];
  });
}

function deliveryOf(
  { order }: OrderRecord,
  { state, shipment, units }: Visit,
  slot: DeliverySlot,
  to_collect: number,
): Delivery {
  const { id, number, status, shipping, addresses, note, currency } = order;
  const items = order.items.flatMap(({ id: line, sku, name, parcels }) => {
    const quantity = units.get(line) ?? 0;
    return quantity > 0 ? [{ sku, name, quantity, parcels }] : [];
  });
  const parcels = items.flatMap((item) =>
    Array.from({ length: item.quantity }, () => item.parcels).flat(),
  );
  return {
    order: { id, number, status },
    kind: "delivery",
    return: null,
    slot,
    state,
    shipment,
    method: shipping.method,
    includes: shipping.includes,
    address: addresses.shipping,
    note,
    items,
    parcel_count: parcels.length,
    weight_g: sum(parcels.map(({ weight_g }) => weight_g)),
    currency,
    to_collect,
  };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
