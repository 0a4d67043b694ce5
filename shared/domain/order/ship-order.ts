import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Problem } from "../base/names.ts";
import { completionAt } from "./expire-order.ts";
import type { InvoiceSeries } from "./invoice.ts";
import { allDelivered, delivered } from "./move-order.ts";
import { supplyAtDispatch } from "./lower-supply.ts";
import { type OrderChange, type Step, changeOf, eachSku, withRows } from "./order-change.ts";
import { type OrderRecord, type Shipment, isCollected } from "./order.ts";
import { bySku, holdsStock, owesUnits, unitsOf } from "./order-units.ts";
import {
  type OrderStatus,
  ShipmentStatus,
  allowedTransitions,
  shipmentMachine,
} from "./order-states.ts";
import { dispatch, receive, takeBack } from "../catalog/stock.ts";
import { shownSlot } from "../delivery/delivery-slot.ts";
import { isHeldForBalance } from "../payment/payment-schedule.ts";
import { Text } from "../base/text.ts";
import { WebAddress } from "../base/web-address.ts";

const transport = {
  carrier: Text(80).nullable().optional(),
  tracking_number: Text(80).nullable().optional(),
  tracking_url: WebAddress.nullable().optional(),
};

const ShipmentItems = z
  .array(z.strictObject({ id: z.string().max(60), quantity: z.int().min(1).max(99) }))
  .min(1)
  .max(50)
  .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, {
    message: "The items field names a line twice.",
  });

/** `POST /admin/orders/{id}/shipments`. */
export const ShipmentInput = z.strictObject({
  items: ShipmentItems.optional().meta({
    description: "Default: all units that are in no shipment yet",
  }),
  ...transport,
});
export type ShipmentInput = z.output<typeof ShipmentInput>;

/** `PATCH /admin/orders/{id}/shipments/{shipment}`. */
export const ShipmentPatch = z.strictObject({
  status: ShipmentStatus.optional(),
  items: ShipmentItems.optional().meta({
    description: "Can change while the shipment is `pending`",
  }),
  ...transport,
});
export type ShipmentPatch = z.output<typeof ShipmentPatch>;

export type ShipmentStep =
  /** Nothing would change. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly ShipmentStatus[] }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] }
  /** The units may leave only when the order's balance is paid, waived or paid on delivery. */
  | { readonly kind: "balance_due"; readonly allowed: readonly ShipmentStatus[] }
  | { readonly kind: "changed"; readonly change: OrderChange; readonly shipment: Shipment };

/** Order statuses in which shipments can be prepared. */
const preparing: ReadonlySet<OrderStatus> = new Set([
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
]);
const sending: ReadonlySet<OrderStatus> = new Set(["ready_to_dispatch", "shipped"]);

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
  const free = unpacked(record);
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

const unpacked = (record: OrderRecord): Map<string, number> =>
  new Map(Array.from(unitsOf(record), ([id, units]) => [id, Math.max(0, units.unpacked)]));

const nothingLeft = (record: OrderRecord): Problem => ({
  path: "items",
  message: owesUnits(record)
    ? "Every unit is already in a shipment."
    : "There is nothing left to ship.",
});

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

/** The statuses that a shipment may have next. */
export const shipmentMoves = (record: OrderRecord, shipment: Shipment): ShipmentStatus[] =>
  movesByUnits(record, shipment).filter((to) => !isKeptBack(record, shipment, to));

/** Whether the dispatch of a shipment has to wait for the order's balance. */
const isKeptBack = ({ order }: OrderRecord, shipment: Shipment, to: ShipmentStatus): boolean =>
  to === "out_for_delivery" && shipment.dispatched_at === null && isHeldForBalance(order);

function movesByUnits(record: OrderRecord, shipment: Shipment): ShipmentStatus[] {
  return allowedTransitions(shipmentMachine, shipment.status).filter((to) => {
    switch (to) {
      case "packed":
        return mayPrepare(record);
      case "out_for_delivery":
        return sending.has(record.order.status) && nothingWithdrawn(record, shipment);
      case "returned_to_origin":
        return nothingRestocked(record, shipment);
      default:
        return true;
    }
  });
}

/** Whether none of the shipment's units was withdrawn after packing. */
function nothingWithdrawn(record: OrderRecord, shipment: Shipment): boolean {
  const units = unitsOf(record);
  const isAway = shipment.status === "delivery_failed";
  return shipment.items.every(
    ({ id, quantity }) => isAway || (units.get(id)?.owed ?? 0) >= quantity,
  );
}

/** Whether a refund has restocked none of the shipment's units. */
function nothingRestocked(record: OrderRecord, shipment: Shipment): boolean {
  const units = unitsOf(record);
  return shipment.items.every(({ id, quantity }) => {
    const { away = 0, returned = 0 } = units.get(id) ?? {};
    return away - quantity >= returned;
  });
}

/** The inputs of a shipment step besides the order. */
export interface ShipmentContext {
  readonly now: Date;
  readonly completedAfterDays: number;
  /** The series of an invoice that is issued now. */
  readonly series: InvoiceSeries;
}

/** Changes a shipment's members and status, and the order and stock with it. */
export function changeShipment(
  record: OrderRecord,
  shipment: Shipment,
  { status: to = shipment.status, items, ...said }: ShipmentPatch,
  context: ShipmentContext,
): ShipmentStep {
  const allowed = shipmentMoves(record, shipment);
  if (to !== shipment.status && !allowed.includes(to)) {
    const isHeld = movesByUnits(record, shipment).includes(to);
    return { kind: isHeld ? "balance_due" : "refused", allowed };
  }
  if (items !== undefined) {
    const problems = repackingProblems(record, shipment, items);
    if (problems.length > 0) return { kind: "invalid", problems };
  }
  const named = Object.entries(said).filter(([, value]) => value !== undefined);
  const described: Shipment = {
    ...shipment,
    ...Object.fromEntries(named),
    ...(items && { items }),
  };
  const step = to === shipment.status ? undefined : moved(record, described, to, context);
  const after = step?.shipment ?? described;
  if (isDeepStrictEqual(after, shipment)) return { kind: "already" };
  const change = changeOf(record, { ...step?.step, shipments: [after] }, context.now);
  return { kind: "changed", change, shipment: after };
}

function repackingProblems(
  record: OrderRecord,
  shipment: Shipment,
  items: Shipment["items"],
): Problem[] {
  if (shipment.status !== "pending") {
    return [
      { path: "items", message: "The shipment is already packed. Its items can no longer change." },
    ];
  }
  const free = unpacked(record);
  for (const { id, quantity } of shipment.items) free.set(id, (free.get(id) ?? 0) + quantity);
  return problemsOf(items, free);
}

function moved(
  record: OrderRecord,
  before: Shipment,
  to: ShipmentStatus,
  context: ShipmentContext,
): { shipment: Shipment; step: Step } {
  const shipment = { ...before, status: to };
  const at = context.now.toISOString();
  const planned = { ...shipment, slot: shownSlot(record.order.slot) };
  const units = bySku(record, shipment.items);
  switch (to) {
    case "out_for_delivery":
      return before.dispatched_at === null
        ? dispatched(record, { ...planned, dispatched_at: at }, context)
        : { shipment: planned, step: telling(to, "Your delivery is on its way to you again.") };
    case "delivered":
      return arrived(record, { ...shipment, delivered_at: at }, context);
    case "delivery_failed":
      return {
        shipment,
        step: { ...telling(to, "We could not deliver your order."), set: { slot: null } },
      };
    case "returned_to_origin": {
      // An order that has ended needs no units any more, so the returned units are for sale again.
      const back = holdsStock(record.order.status) ? takeBack : receive;
      const announced = telling(to, "Your delivery was returned to us.");
      return { shipment, step: { ...announced, stock: eachSku(units, back) } };
    }
    default:
      return { shipment, step: telling(to, "A delivery of your order is packed.") };
  }
}

const telling = (type: ShipmentStatus, message: string): Step => ({
  entries: [{ type, message, public: true }],
});

/**
 * Dispatches the shipment's units. With the first dispatched shipment, the order becomes `shipped` and an invoice is
 * requested.
 */
function dispatched(
  record: OrderRecord,
  shipment: Shipment,
  { series }: ShipmentContext,
): { shipment: Shipment; step: Step } {
  const { order, rows } = record;
  const by = shipment.carrier === null ? "" : ` with ${shipment.carrier}`;
  const how = isCollected(order) ? "is ready to collect" : `is on its way${by}`;
  const sent = { order, rows: { ...rows, shipments: withRows(rows.shipments, [shipment]) } };
  const more = owesUnits(sent);
  const whole = more ? "A part of your order" : "Your order";
  const next = more ? "Another part of your order" : "The rest of your order";
  const what = order.status === "shipped" ? next : whole;
  return {
    shipment,
    step: {
      set: {
        status: "shipped",
        ...(order.status !== "shipped" && { supplied: supplyAtDispatch(record) }),
      },
      entries: [{ type: "shipped", message: `${what} ${how}.`, public: true }],
      stock: eachSku(bySku(record, shipment.items), dispatch),
      events: [{ type: "order_shipped", order_id: order.id, shipment_id: shipment.id }],
      invoice: order.status === "shipped" ? null : series,
    },
  };
}

function arrived(
  record: OrderRecord,
  shipment: Shipment,
  { now, completedAfterDays }: ShipmentContext,
): { shipment: Shipment; step: Step } {
  const { order, rows } = record;
  const after = { order, rows: { ...rows, shipments: withRows(rows.shipments, [shipment]) } };
  const last = order.status === "shipped" && allDelivered(after);
  const part = { type: "shipment_delivered", message: "A delivery has arrived.", public: true };
  const step = last
    ? delivered(now, completionAt(now.toISOString(), completedAfterDays))
    : { entries: [part] };
  const event = { type: "order_delivered", order_id: order.id, shipment_id: shipment.id } as const;
  return { shipment, step: { ...step, events: [event] } };
}
