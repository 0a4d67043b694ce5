import * as z from "zod";
import { LineIdentity } from "../../pricing/priced-line.ts";
import { PublicPicture } from "../../upload/public-picture.ts";
import { Currency, MoneySum } from "../../base/money.ts";
import { Return } from "../returns/return-view.ts";
import { OrderNumber } from "../order-number.ts";
import { OrderStatus } from "../status/order-states.ts";
import { LineUnits } from "../ledger/order-units.ts";
import { ScheduledPart } from "../../payment/owing.ts";
import { PaymentStatus, Transaction } from "../../payment/payment.ts";
import { PaymentMethod, type Settings } from "../../settings/settings.ts";
import { DeliverySlot } from "../../delivery/delivery-slot.ts";
import { DeliveryWindow } from "../../delivery/shipping.ts";
import { Timestamp } from "../../base/text.ts";
import {
  AgreedTotals,
  Invoice,
  OrderItem,
  OrderShipping,
  Shipment,
  StoredOrder,
  TimelineEntry,
  type OrderRecord,
} from "../order.ts";
import { mayCancel } from "../status/cancel-order.ts";
import { hasInvoice } from "../invoice/invoice-view.ts";
import { namesOf } from "../../base/members.ts";
import { mayReturn } from "../returns/return-policy.ts";
import { mayChangeSlot, mayChooseSlot } from "../edit/slot-choice.ts";
import { awaitsPayment } from "../../payment/payment-window.ts";

const image = PublicPicture.nullable();

/** A line of an order, with where its units are. */
export const OrderLine = OrderItem.extend({ image, units: LineUnits }).meta({ id: "OrderLine" });

/** What the buyer of an order may do with it. */
export const OrderAction = z.enum([
  "pay",
  "cancel",
  "choose_slot",
  "change_slot",
  "download_invoice",
  "return",
  "claim_warranty",
]);
export type OrderAction = z.output<typeof OrderAction>;

/** An order for its buyer. */
export const Order = StoredOrder.pick({
  id: true,
  number: true,
  status: true,
  payment_status: true,
  payment_method: true,
  currency: true,
  addresses: true,
  coupon_code: true,
  tax_id: true,
  note: true,
  invoice: true,
  version: true,
  placed_at: true,
  expires_at: true,
}).extend({
  items: z.array(OrderLine),
  invoices: z.array(Invoice).meta({ description: "`invoice`, then its supplements" }),
  shipping: OrderShipping.extend({
    amount: MoneySum.meta({ description: "What delivery costs now, including tax" }),
  }),
  slot: DeliverySlot.nullable().meta({ description: "The booked delivery slot" }),
  customer: z.object({ name: z.string(), email: z.string().nullable(), phone: z.string() }),
  totals: AgreedTotals.extend({
    paid: MoneySum,
    refunded: MoneySum,
    current: MoneySum.meta({ description: "What the order is worth now" }),
    rounding: z.int().meta({ description: "The part of `current` by which cash was rounded" }),
    due: MoneySum.meta({ description: "All that is still to be paid" }),
    cash_due: MoneySum.meta({ description: "What is paid if `due` is paid in cash" }),
    retained: MoneySum.meta({ description: "What the shop keeps after a cancellation" }),
  }),
  payment_schedule: z
    .array(ScheduledPart)
    .meta({ description: "What is paid when; the amounts add up to `current`" }),
  shipments: z.array(Shipment),
  transactions: z.array(
    Transaction.pick({ id: true, type: true, state: true, amount: true, method: true, at: true }),
  ),
  timeline: z.array(TimelineEntry),
  returns: z.array(Return).meta({ description: "Returns and warranty claims" }),
  allowed_actions: z
    .array(OrderAction)
    .meta({ description: "What the buyer may do now. Ignore actions that you do not know" }),
});
/** An order before its response. */
export type Order = z.input<typeof Order>;

/** An order in its buyer's list. */
export const OrderSummary = Order.pick({
  id: true,
  number: true,
  status: true,
  payment_status: true,
  payment_method: true,
  currency: true,
  placed_at: true,
}).extend({
  grand_total: MoneySum,
  item_count: z.int().meta({ description: "Total units of all items" }),
  items: z.array(LineIdentity.pick({ name: true, quantity: true }).extend({ image })),
  promised: DeliveryWindow,
});
/** A summary before its response. */
export type OrderSummary = z.input<typeof OrderSummary>;

/** The members of an order that anybody with its number may read: no email, phone or street. */
export const TrackedOrder = z.object({
  number: OrderNumber,
  status: OrderStatus,
  first_name: z.string(),
  city: z.string(),
  promised: DeliveryWindow,
  slot: DeliverySlot.omit({ window: true, zone: true }).nullable().meta({
    description: "When the order is planned to arrive; null if no time was chosen",
  }),
  items: z.array(
    LineIdentity.pick({
      kind: true,
      slug: true,
      material_code: true,
      choices: true,
      name: true,
      quantity: true,
    }).extend({ image }),
  ),
  shipments: z.array(Shipment.omit({ id: true, items: true, slot: true })),
  timeline: z.array(TimelineEntry.omit({ public: true })),
  placed_at: Timestamp,
  /** Null, like the other members about payment, unless the sent email matches the order's. */
  currency: Currency.nullable(),
  totals: Order.shape.totals.nullable(),
  payment_status: PaymentStatus.nullable(),
  payment_method: PaymentMethod.nullable(),
  allowed_actions: Order.shape.allowed_actions.nullable(),
});
/** A tracked order before its response. */
export type TrackedOrder = z.input<typeof TrackedOrder>;

/** What the rules of a buyer's actions depend on besides the order. */
export interface ActionContext {
  readonly settings: Pick<Settings, "payments" | "returns" | "shipping" | "store">;
  readonly now: Date;
}

/** The rule of each action. The route of the action uses the same rule, so that it accepts what an order lists. */
const rules: Readonly<
  Record<OrderAction, (record: OrderRecord, context: ActionContext) => boolean>
> = {
  pay: ({ order }, { settings: { payments }, now }) => awaitsPayment(order, payments, now),
  cancel: (record) => mayCancel(record, "customer"),
  choose_slot: (record, { settings }) => mayChooseSlot(record, settings),
  change_slot: (record, { settings, now }) => mayChangeSlot(record, settings, now),
  download_invoice: ({ order }) => hasInvoice(order),
  return: (record, context) => mayReturn(record, context, "return"),
  claim_warranty: (record, context) => mayReturn(record, context, "warranty"),
};

/** The actions that the buyer of an order may take now. */
export const allowedActions = (record: OrderRecord, context: ActionContext): OrderAction[] =>
  namesOf(rules).filter((action) => rules[action](record, context));

/** How long the link in an order's mails opens an order that has ended. */
const openForMs = 30 * 86_400_000;

const ended: ReadonlySet<OrderStatus> = new Set(["completed", "cancelled", "expired", "returned"]);

/**
 * When the link in the mails of a guest's order ends: 30 days after the order was completed, or ended in another way.
 * Null while the order has not ended.
 */
export function linkEndsAt({ order, rows }: OrderRecord): Date | null {
  if (!ended.has(order.status)) return null;
  const entry = rows.timeline.findLast(({ type }) => type === order.status);
  return new Date(Date.parse(entry?.at ?? order.updated_at) + openForMs);
}
