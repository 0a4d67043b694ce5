import * as z from "zod";
import { invoicesOf } from "../invoice/invoiced-supplies.ts";
import { shipmentMoves } from "../shipment/prepare-shipment.ts";
import { refusedMoves, staffMoves } from "../status/move-order.ts";
import {
  Attention,
  type OrderRecord,
  Shipment,
  StoredOrder,
  TimelineEntry,
  flagId,
} from "../order.ts";
import { returnForBuyer } from "../returns/return-view.ts";
import { Order } from "./buyer-order.ts";
import type { OrderRow } from "./order-row.ts";
import { ownSale } from "../../base/sales-channel.ts";
import { OrderStatus, ShipmentStatus } from "../status/order-states.ts";
import { itemsWithUnits, shippingNow, totalsNow } from "./order-view.ts";
import { paymentSchedule } from "../../payment/payment-schedule.ts";
import { Transaction } from "../../payment/payment.ts";
import { DeliveryWindow } from "../../delivery/shipping.ts";

export const AdminShipment = Shipment.extend({ allowed_transitions: z.array(ShipmentStatus) }).meta(
  { id: "AdminShipment" },
);
export type AdminShipment = z.output<typeof AdminShipment>;

/** An order for staff: everything except the guest's token hash and the counters. */
export const AdminOrder = StoredOrder.omit({
  access_token_hash: true,
  counted: true,
  paid: true,
  refunded: true,
  current: true,
  received: true,
  supplied: true,
  supplements: true,
  deposit: true,
  addition: true,
  waiver: true,
  cash_rounding: true,
  refund_shipping: true,
  disputed: true,
  rounding: true,
  rounding_paid: true,
  offers_slot: true,
  placed: true,
  items: true,
  shipping: true,
  attention: true,
})
  .extend({
    items: Order.shape.items,
    shipping: Order.shape.shipping,
    attention: z.array(
      Attention.extend({
        id: z.string().meta({ description: "Names the flag in a `PATCH` of the order" }),
      }),
    ),
    invoices: Order.shape.invoices,
    totals: Order.shape.totals,
    payment_schedule: Order.shape.payment_schedule,
    allowed_transitions: z
      .array(OrderStatus)
      .meta({ description: "The statuses that `PATCH` can set now" }),
    refused_transitions: z
      .array(
        z.object({
          to: OrderStatus,
          code: z.enum(["invalid_transition", "forbidden", "balance_due"]),
          reason: z.string(),
        }),
      )
      .meta({ description: "Statuses that could follow, and why `PATCH` cannot set them now" }),
    shipments: z.array(AdminShipment),
    transactions: z.array(Transaction),
    timeline: z.array(TimelineEntry),
    returns: Order.shape.returns,
  })
  .meta({ id: "AdminOrder" });
/** An order before its response. */
export type AdminOrder = z.input<typeof AdminOrder>;

export const AdminOrderSummary = StoredOrder.pick({
  id: true,
  number: true,
  status: true,
  payment_status: true,
  payment_method: true,
  customer: true,
  currency: true,
  coupon_code: true,
  channel: true,
  location: true,
  sold_by: true,
  tags: true,
  version: true,
  placed_at: true,
  updated_at: true,
})
  .extend({
    city: z.string(),
    item_count: z.int().meta({ description: "Total units of all items" }),
    totals: Order.shape.totals.pick({ grand_total: true, paid: true, refunded: true, due: true }),
    attention: z.array(Attention.shape.code),
    invoice_number: z.string().nullable(),
    promised: DeliveryWindow,
  })
  .meta({ id: "AdminOrderSummary" });
export type AdminOrderSummary = z.output<typeof AdminOrderSummary>;

/**
 * An order as a staff user sees it. The response's schema drops what it does not declare.
 *
 * @param permissions those of the staff user, which decide the statuses in `allowed_transitions`
 */
export function adminOrder(record: OrderRecord, permissions: readonly string[]): AdminOrder {
  const { order, rows } = record;
  return {
    ...order,
    items: itemsWithUnits(record),
    shipping: shippingNow(record),
    attention: order.attention.map((flag) => ({ ...flag, id: flagId(flag) })),
    invoices: invoicesOf(order),
    totals: totalsNow(order),
    payment_schedule: paymentSchedule(record),
    allowed_transitions: staffMoves(record, permissions),
    refused_transitions: refusedMoves(record, permissions),
    shipments: rows.shipments.map((shipment) => adminShipment(record, shipment)),
    transactions: [...rows.transactions],
    timeline: [...rows.timeline],
    returns: rows.returns.map(returnForBuyer),
  };
}

export const adminShipment = (record: OrderRecord, shipment: Shipment): AdminShipment => ({
  ...shipment,
  allowed_transitions: shipmentMoves(record, shipment),
});

export function adminOrderSummary(order: OrderRow): AdminOrderSummary {
  const { id, number, status, payment_status, payment_method, customer, currency } = order;
  const { coupon_code, tags, version, placed_at, updated_at } = order;
  const { city, item_count, promised, grand_total, due, sale } = order.listed;
  const { paid, refunded } = order;
  return {
    id,
    number,
    status,
    payment_status,
    payment_method,
    customer,
    currency,
    coupon_code,
    ...(sale ?? ownSale),
    tags,
    version,
    placed_at,
    updated_at,
    city,
    item_count,
    totals: { grand_total, paid, refunded, due },
    attention: [...new Set(order.attention.map(({ code }) => code))],
    invoice_number: order.invoice?.number ?? null,
    promised,
  };
}
