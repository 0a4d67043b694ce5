import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../base/names.ts";
import { cashMissingAt, completionAt } from "../status/order-timers-after.ts";
import type { InvoiceSeries } from "../invoice/invoice.ts";
import { invoiceOfDispatch } from "../invoice/credit-supply.ts";
import { changeOf, eachStock, withEntries } from "../order-change.ts";
import { withRows, type OrderChange, type Step } from "../order-step.ts";
import { type OrderRecord, type Shipment, isCollected } from "../order.ts";
import { byStock, hasUnsent } from "../ledger/order-units.ts";
import type { ShipmentStatus } from "../status/order-states.ts";
import {
  repackingProblems,
  movesByUnits,
  shipmentMoves,
  type ShipmentStep,
} from "./prepare-shipment.ts";
import { type UnitsBack, unitsBack, wholeBack } from "./return-shipment.ts";
import type { ShipmentPatch } from "./shipment-input.ts";
import { dispatch } from "../../catalog/stock.ts";
import { shownSlot } from "../../delivery/delivery-slot.ts";

/** The inputs of a shipment step besides the order. */
export interface ShipmentContext {
  readonly now: Date;
  readonly completedAfterDays: number;
  /** The series of an invoice that is issued now. */
  readonly series: InvoiceSeries;
  /** Id of the shipment of units that the buyer does not take at the door. */
  readonly returnId: string;
}

/** Changes a shipment's members and status, and the order and stock with it. */
export function changeShipment(
  record: OrderRecord,
  shipment: Shipment,
  patch: ShipmentPatch,
  context: ShipmentContext,
): ShipmentStep {
  const { status: to = shipment.status, items, then: _then, goods: _goods, back, ...said } = patch;
  const allowed = shipmentMoves(record, shipment);
  if (to !== shipment.status && !allowed.includes(to)) {
    const isHeld = movesByUnits(record, shipment).includes(to);
    return { kind: isHeld ? "balance_due" : "refused", allowed };
  }
  if (items !== undefined) {
    const problems = repackingProblems(record, shipment, items);
    if (problems.length > 0) return { kind: "invalid", problems };
  }
  const notInIt = (back ?? []).flatMap((unit, position) =>
    refusedProblems(shipment, unit, position),
  );
  if (notInIt.length > 0) return { kind: "invalid", problems: notInIt };
  const named = Object.entries(said).filter(([, value]) => value !== undefined);
  const described: Shipment = {
    ...shipment,
    ...Object.fromEntries(named),
    ...(items && { items }),
  };
  const step = to === shipment.status ? undefined : moved(record, described, patch, context);
  const after = step?.shipment ?? described;
  if (isDeepStrictEqual(after, shipment)) return { kind: "already" };
  const shipments = [after, ...(step?.step.shipments ?? [])];
  const change = changeOf(record, { ...step?.step, shipments }, context.now);
  const arrives = to !== shipment.status && after.status === "delivered";
  return {
    kind: "changed",
    change: arrives ? withArrival(record, change, context) : change,
    shipment: after,
  };
}

/** The change of a shipment that arrives, with what follows from it. */
function withArrival(
  { rows }: OrderRecord,
  change: OrderChange,
  { now, completedAfterDays }: ShipmentContext,
): OrderChange {
  if (change.order.status !== "delivered") return withEntries(change, [partArrived]);
  const missing = cashMissingAt({ order: change.order, rows });
  return {
    ...change,
    checksAt: [missing ?? completionAt(now.toISOString(), completedAfterDays)],
  };
}

const partArrived = {
  type: "shipment_delivered",
  message: "A delivery has arrived.",
  public: true,
} as const;

function refusedProblems(
  { items }: Shipment,
  { id, quantity }: UnitsBack,
  position: number,
): Problem[] {
  const sent = items.find((item) => item.id === id)?.quantity ?? 0;
  if (sent === 0) return [{ path: `back.${position}.id`, message: "The selected id is invalid." }];
  if (quantity <= sent) return [];
  const units = sent === 1 ? "1 unit" : `${sent} units`;
  return [{ path: `back.${position}.quantity`, message: `The shipment has only ${units} of it.` }];
}

function moved(
  record: OrderRecord,
  before: Shipment,
  { status: to = before.status, ...patch }: ShipmentPatch,
  context: ShipmentContext,
): { shipment: Shipment; step: Step } {
  const shipment = { ...before, status: to };
  const at = context.now.toISOString();
  const planned = { ...shipment, slot: shownSlot(record.order.slot) };
  const { slot } = record.order;
  const left = slot && { ...slot, has_left: true };
  switch (to) {
    case "out_for_delivery":
      return before.dispatched_at === null
        ? dispatched(record, { ...planned, dispatched_at: at }, context)
        : {
            shipment: planned,
            step: {
              ...telling(to, "Your delivery is on its way to you again."),
              set: { slot: left },
            },
          };
    case "delivered":
      return arrived(record, { ...shipment, delivered_at: at }, patch.back ?? [], context.returnId);
    case "delivery_failed":
      return {
        shipment,
        step: { ...telling(to, "We could not deliver your order."), set: { slot: null } },
      };
    case "returned_to_origin":
      return {
        shipment,
        step: {
          ...telling(to, "Your delivery was returned to us."),
          ...unitsBack(record, wholeBack(shipment, patch)),
        },
      };
    default:
      return { shipment, step: telling(to, "A delivery of your order is packed.") };
  }
}

const telling = (type: ShipmentStatus, message: string): Step => ({
  entries: [{ type, message, public: true }],
});

/**
 * Dispatches the shipment's units. With the first dispatched shipment, the order becomes `shipped`. The invoice that a
 * dispatch needs is requested.
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
  const more = hasUnsent(sent);
  const whole = more ? "A part of your order" : "Your order";
  const next = more ? "Another part of your order" : "The rest of your order";
  const what = order.status === "shipped" ? next : whole;
  const invoiced = invoiceOfDispatch(record, shipment);
  return {
    shipment,
    step: {
      set: {
        status: "shipped",
        slot: order.slot && { ...order.slot, has_left: true },
        ...invoiced?.set,
      },
      entries: [{ type: "shipped", message: `${what} ${how}.`, public: true }],
      stock: eachStock(byStock(record, shipment.items), dispatch),
      events: [{ type: "order_shipped", order_id: order.id, shipment_id: shipment.id }],
      invoice: invoiced
        ? { ...series, shipment_id: shipment.id, supplement: invoiced.supplement }
        : null,
    },
  };
}

/**
 * The shipment's units arrive, except for those that the buyer does not take. These become a shipment of their own,
 * which is back already. If everything is at the door for nothing, the shipment itself is back.
 */
function arrived(
  record: OrderRecord,
  shipment: Shipment,
  back: readonly UnitsBack[],
  returnId: string,
): { shipment: Shipment; step: Step } {
  const { order } = record;
  const refused = new Map(back.map(({ id, quantity }) => [id, quantity]));
  const items = shipment.items
    .map(({ id, quantity }) => ({ id, quantity: quantity - (refused.get(id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
  const isBack = items.length === 0;
  const status = "returned_to_origin" as const;
  const came: Step = {
    ...unitsBack(record, back),
    entries:
      back.length === 0
        ? []
        : [{ type: status, message: "Items of your delivery came back to us.", public: true }],
  };
  if (isBack) return { shipment: { ...shipment, status, delivered_at: null }, step: came };
  const kept = { ...shipment, items };
  const returned: Shipment[] =
    back.length === 0
      ? []
      : [
          {
            ...shipment,
            id: returnId,
            status,
            items: back.map(({ id, quantity }) => ({ id, quantity })),
            delivered_at: null,
          },
        ];
  return {
    shipment: kept,
    step: {
      ...came,
      shipments: returned,
      events: [{ type: "order_delivered", order_id: order.id, shipment_id: shipment.id }],
    },
  };
}
