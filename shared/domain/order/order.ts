import { ShippingMethodCode } from "../settings/zone-settings.ts";
import * as z from "zod";
import type { ChangeRow } from "./ledger/change-row.ts";
import { LeadTime } from "../catalog/availability.ts";
import { Warranty } from "../catalog/warranty.ts";
import { PostalAddress } from "../contact/postal-address.ts";
import { LineAmounts, LineIdentity } from "../pricing/priced-line.ts";
import { PriceLine } from "../sofa/configuration.ts";
import { Id } from "../base/ids.ts";
import { Currency, MoneySum } from "../base/money.ts";
import { saleMembers } from "../base/sales-channel.ts";
import { OrderNumber } from "./order-number.ts";
import type { OrderReturn } from "./returns/order-return.ts";
import { OrderStatus, ShipmentStatus } from "./status/order-states.ts";
import { OrderAddition, OrderDeposit } from "../payment/owing.ts";
import { type LedgerRow, PaymentStatus } from "../payment/payment.ts";
import { PaymentMethod } from "../settings/settings.ts";
import { BookedSlot, DeliverySlot } from "../delivery/delivery-slot.ts";
import { DeliveryWindow, Parcel } from "../delivery/shipping.ts";
import { Supply } from "./invoice/supply.ts";
import { TaxComponent } from "../pricing/tax.ts";
import { Email, NullableTimestamp, Phone, Timestamp } from "../base/text.ts";
import { isDeepStrictEqual } from "node:util";

/** A line as it was bought. Later catalog changes do not affect it. */
export const OrderItem = LineIdentity.extend({
  ...LineAmounts.shape,
  /** The parts of a configured price; empty for a single price. */
  price_lines: z.array(PriceLine),
  tax_class: z.string(),
  tax_components: z.array(TaxComponent),
  hsn_code: z.string().nullable(),
  lead_time: LeadTime,
  made_to_order: z.boolean(),
  cod_eligible: z.boolean(),
  upload_ids: z.array(z.string()),
  note: z.string().nullable(),
  /** The packages of one unit. */
  parcels: z.array(Parcel).default([]),
  warranty: z.array(Warranty).default([]),
  change_id: Id("chg").nullable().default(null).meta({
    description: "The change that added the line; null if it was ordered at checkout",
  }),
  /** When the line was added; null if it was ordered at checkout. */
  added_at: NullableTimestamp.default(null),
  ready_at: NullableTimestamp.default(null).meta({
    description: "When an added line that is made to order was ready to be packed",
  }),
});
export type OrderItem = z.output<typeof OrderItem>;

export const OrderAddresses = z.object({ shipping: PostalAddress, billing: PostalAddress });
export type OrderAddresses = z.output<typeof OrderAddresses>;

/** The shipping method, as promised when the order was placed or its delivery was changed. */
export const OrderShipping = z.object({
  method: ShippingMethodCode,
  label: z.string(),
  includes: z.array(z.string()),
  zone: z.string(),
  promised: DeliveryWindow,
  tax_components: z.array(TaxComponent),
});
export type OrderShipping = z.output<typeof OrderShipping>;

/**
 * The totals agreed when the order was placed; always `grand_total = Σ line_total + shipping`, without the lines that
 * changes have added.
 */
export const AgreedTotals = z.object({
  items_subtotal: MoneySum,
  discount: MoneySum,
  shipping: MoneySum,
  shipping_tax: MoneySum,
  tax: MoneySum,
  grand_total: MoneySum,
});
export type AgreedTotals = z.output<typeof AgreedTotals>;

/** An entry of an order's timeline. */
export const TimelineEntry = z.object({
  at: Timestamp,
  type: z.string(),
  message: z.string(),
  public: z.boolean(),
});
export type TimelineEntry = z.output<typeof TimelineEntry>;

export const Shipment = z.object({
  id: z.string(),
  status: ShipmentStatus,
  items: z.array(z.object({ id: z.string(), quantity: z.int().min(1) })),
  carrier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  dispatched_at: NullableTimestamp,
  delivered_at: NullableTimestamp,
  /** The order's slot when the shipment last left; null if the order had none. */
  slot: DeliverySlot.nullable().default(null),
});
export type Shipment = z.output<typeof Shipment>;

export const Invoice = z
  .object({ number: z.string(), issued_on: z.iso.date() })
  .meta({ id: "Invoice" });
export type Invoice = z.output<typeof Invoice>;

/** An attention flag: something in an order that staff have to decide. */
export const Attention = z.object({
  code: z.enum([
    "part_paid",
    "overpaid",
    "late_payment",
    "payment_mismatch",
    "refund_failed",
    "refund_to_make",
    "balance_overdue",
    "cash_missing",
    "disputed",
  ]),
  message: z.string(),
  about: z.string().nullable().default(null).meta({
    description: "Id of the transaction that it is about; null if it is about the whole order",
  }),
  at: Timestamp,
});
export type Attention = z.output<typeof Attention>;

/** An attention flag that a step raises. */
export type RaisedFlag = Pick<Attention, "code" | "message"> & Partial<Pick<Attention, "about">>;

/** Identifies a flag in its order, in which it stands once. */
export const flagId = ({ code, about }: Pick<Attention, "code" | "about">): string =>
  about === null ? code : `${code}:${about}`;

/** An order as stored. Its timeline, ledger and shipments grow, so they are separate rows. */
export const StoredOrder = z.object({
  id: Id("ord"),
  number: OrderNumber,
  status: OrderStatus,
  /** Derived from the ledger and written with it. */
  payment_status: PaymentStatus,
  payment_method: PaymentMethod,
  /** The captured money; `refunded` is the part of it that was refunded. */
  paid: MoneySum,
  refunded: MoneySum,
  /**
   * What the order's goods are worth, and the captured money less refunds, also those that are not made yet. Derived
   * from the ledgers and written with them; orders of releases without them are as they were placed.
   */
  current: MoneySum.optional(),
  received: z.int().optional(),
  /** The money that lost disputes took. */
  disputed: MoneySum.default(0),
  /** The minor units in whose multiples the order is paid in cash. */
  cash_rounding: z.int().min(1).default(1),
  /** The shop's `returns.refund_shipping` when the order was placed. */
  refund_shipping: z.boolean().default(true),
  /** What cash payments have rounded off (negative) or up, so that nothing is due. A part of `current`. */
  rounding: z.int().default(0),
  /** What the last exact payment or refund in cash left of `rounding`. The rest is for a payment at the door. */
  rounding_paid: z.int().default(0),
  cart_id: Id("cart").nullable(),
  ...saleMembers,
  customer: z.object({
    id: z.string().nullable(),
    name: z.string(),
    email: Email.nullable(),
    phone: Phone,
  }),
  /** Hash of the token that proves access to a guest's order; null for a customer's order. */
  access_token_hash: z.string().nullable(),
  currency: Currency,
  items: z.array(OrderItem).min(1),
  addresses: OrderAddresses,
  shipping: OrderShipping,
  coupon_code: z.string().nullable(),
  quotes: z
    .array(z.object({ id: z.string(), revision: z.int() }))
    .meta({ description: "The quotes that the order was placed from" }),
  totals: AgreedTotals,
  tax_id: z.string().nullable(),
  note: z.string().nullable(),
  marketing_opt_in: z.boolean(),
  /**
   * The keys of the counters that include the order: for its buyers, for the limits on open orders, and for its coupon.
   */
  counted: z.object({
    buyers: z.array(z.string()),
    open: z.array(z.string()),
    coupon: z.array(z.string()),
    /** The coupon's limits at checkout, in the sequence of `coupon`. */
    coupon_limits: z.array(z.int()).optional(),
  }),
  invoice: Invoice.nullable(),
  /** What the invoice covers, from the first dispatch on. An invoice without it covers the whole order. */
  supplied: Supply.optional(),
  /** The further invoices, over lines that were added after the first one, by the shipment that first sent such units. */
  supplements: z
    .record(z.string(), z.object({ supplied: Supply, invoice: Invoice.nullable() }))
    .optional(),
  /** Notes by staff. */
  notes: z.string().nullable(),
  tags: z.array(z.string()),
  attention: z.array(Attention),
  version: z.int().min(1),
  placed_at: Timestamp,
  updated_at: Timestamp,
  /** When the order expires unless it is paid. */
  expires_at: NullableTimestamp,
  /** When the last shipment was delivered. */
  delivered_at: NullableTimestamp,
  /** Null if the order is paid at once. */
  deposit: OrderDeposit.nullable().default(null),
  /** What changes have added, less what was lowered since; null if nothing is left of it. */
  addition: OrderAddition.nullable().default(null),
  /** Why staff let the order leave before everything is paid; null if they do not. */
  waiver: z.object({ reason: z.string(), at: Timestamp }).nullable().default(null),
  /** The booked delivery slot. */
  slot: BookedSlot.nullable().default(null),
  /** Whether slots could be chosen for its zone and method when the order was placed. */
  offers_slot: z.boolean().default(false),
  /** What changes have replaced of what the confirmation shows, as it was when the order was placed; null if nothing. */
  placed: z
    .object({
      addresses: OrderAddresses,
      shipping: OrderShipping,
      payment_method: PaymentMethod,
      deposit: OrderDeposit.nullable(),
      slot: BookedSlot.nullable(),
    })
    .nullable()
    .default(null),
});
export type StoredOrder = z.output<typeof StoredOrder>;

/** Whether the buyer collects the order. */
export const isCollected = ({ shipping }: Pick<StoredOrder, "shipping">): boolean =>
  shipping.method === "pickup";

/** Whether the line was added and is made to order, and is not made yet. Its units cannot be packed. */
export const isInTheMaking = ({
  made_to_order,
  change_id,
  ready_at,
}: Pick<OrderItem, "made_to_order" | "change_id" | "ready_at">): boolean =>
  made_to_order && change_id !== null && ready_at === null;

/** The rows that belong to an order. */
export interface OrderRows {
  readonly timeline: readonly TimelineEntry[];
  readonly transactions: readonly LedgerRow[];
  readonly shipments: readonly Shipment[];
  /** In the sequence in which they were made. */
  readonly changes: readonly ChangeRow[];
  /** In the sequence in which they were opened. */
  readonly returns: readonly OrderReturn[];
}

/** The rows of an order of which nothing has happened yet. */
export const noRows: OrderRows = {
  timeline: [],
  transactions: [],
  shipments: [],
  changes: [],
  returns: [],
};

/** An order with its rows. */
export interface OrderRecord {
  readonly order: StoredOrder;
  readonly rows: OrderRows;
}

/** The tag that marks an order as part of a smoke test. Only staff can tag orders. */
export const smokeTag = "smoke";

/**
 * Whether an order belongs to a smoke test, so that no metric counts it. The tag alone is not enough: the order must
 * also be cancelled and never paid, so that no sale can be hidden from the metrics.
 */
export const isSmokeOrder = ({
  tags,
  status,
  paid,
}: Pick<StoredOrder, "tags" | "status" | "paid">): boolean =>
  tags.includes(smokeTag) && status === "cancelled" && paid === 0;

type Confirmed = NonNullable<StoredOrder["placed"]>;

const confirmedOf = ({
  addresses,
  shipping,
  payment_method,
  deposit,
  slot,
}: StoredOrder): Confirmed => ({
  addresses,
  shipping,
  payment_method,
  deposit,
  slot,
});

/** What a changed order keeps of how it was placed, for its confirmation. */
export function placedBefore(before: StoredOrder, after: StoredOrder): StoredOrder["placed"] {
  if (before.placed !== null) return before.placed;
  const was = confirmedOf(before);
  return isDeepStrictEqual(was, confirmedOf(after)) ? null : was;
}

/** The order as its confirmation shows it: as it was placed, without lines that were added later. */
export const asPlaced = (order: StoredOrder): StoredOrder => ({
  ...order,
  ...order.placed,
  items: order.items.filter(({ change_id }) => change_id === null),
});
