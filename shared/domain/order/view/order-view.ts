import { returnForBuyer } from "../returns/return-view.ts";
import { inKeyOrder } from "../../base/members.ts";
import { invoicesOf } from "../invoice/invoiced-supplies.ts";
import { promisedDates } from "./order-row.ts";
import {
  type ActionContext,
  allowedActions,
  type Order,
  type OrderSummary,
  type TrackedOrder,
} from "./buyer-order.ts";
import type { OrderRecord, StoredOrder } from "../order.ts";
import { valueOf } from "../ledger/order-value.ts";
import { unitsOf } from "../ledger/order-units.ts";
import { isUnfulfilled } from "../status/order-states.ts";
import { amountDue, amountToPay, currentOf, isPayable } from "../../payment/owing.ts";
import type { Payment, PaymentAction } from "../../payment/payment.ts";
import { cashFor } from "../../payment/rounding.ts";
import { paymentSchedule } from "../../payment/payment-schedule.ts";
import { shownSlot } from "../../delivery/delivery-slot.ts";
import type { PaymentSettings } from "../../settings/settings.ts";

/** An order for its buyer: without internal timeline entries and storage members. */
export function orderForBuyer(record: OrderRecord, context: ActionContext): Order {
  const { order, rows } = record;
  const { id, number, status, payment_status, payment_method, currency, addresses } = order;
  const { coupon_code, tax_id, note, invoice, version, placed_at, expires_at } = order;
  const { name, email, phone } = order.customer;
  return {
    id,
    number,
    status,
    payment_status,
    payment_method,
    currency,
    items: itemsWithUnits(record),
    customer: { name, email, phone },
    addresses,
    shipping: shippingNow(record),
    slot: shownSlot(order.slot),
    coupon_code,
    totals: totalsNow(order),
    payment_schedule: paymentSchedule({ order, rows }),
    shipments: [...rows.shipments],
    transactions: rows.transactions.map(
      ({ id: transactionId, type, state, amount, method, at }) => ({
        id: transactionId,
        type,
        state,
        amount,
        method,
        at,
      }),
    ),
    timeline: rows.timeline.filter((entry) => entry.public),
    returns: rows.returns.map(returnForBuyer),
    allowed_actions: allowedActions(record, context),
    tax_id,
    note,
    invoice,
    invoices: invoicesOf(order),
    version,
    placed_at,
    expires_at,
  };
}

/** The lines of an order, with where their units are. */
export function itemsWithUnits(record: OrderRecord): Order["items"] {
  const units = unitsOf(record);
  return record.order.items.map((item) => ({
    ...item,
    configuration: item.configuration && inKeyOrder(item.configuration),
    units: units.get(item.id)!,
  }));
}

/** How an order is delivered, with what that costs now. */
export const shippingNow = (record: OrderRecord): Order["shipping"] => ({
  ...record.order.shipping,
  amount: valueOf(record).shipping,
});

/** An order in its buyer's list. */
export function orderSummary(order: StoredOrder): OrderSummary {
  const { id, number, status, payment_status, payment_method, currency, placed_at } = order;
  const items = order.items.map(({ name, quantity, image }) => ({ name, quantity, image }));
  return {
    id,
    number,
    status,
    payment_status,
    payment_method,
    currency,
    placed_at,
    grand_total: order.totals.grand_total,
    item_count: items.reduce((sum, { quantity }) => sum + quantity, 0),
    items,
    promised: promisedDates(order),
  };
}

/**
 * The timeline entries that anybody with the order number may read; none about payment. An entry whose type has a text
 * here shows the text instead of its stored message, because the message may mention payment or refunds.
 */
const openSteps: Readonly<Record<string, string | null | undefined>> = {
  placed: null,
  confirmed: "Your order is confirmed.",
  in_production: null,
  ready_to_dispatch: null,
  packed: null,
  order_changed: null,
  shipped: null,
  out_for_delivery: null,
  delivery_failed: null,
  returned_to_origin: null,
  shipment_delivered: null,
  delivered: null,
  completed: null,
  returned: null,
  slot_chosen: null,
  slot_changed: null,
  slot_released: "The delivery time is no longer reserved.",
  cancelled: "The order was cancelled.",
  expired: "The order has expired.",
};

/** A caller who tracks an order with an email, in lower case. */
export interface KnownTracker extends ActionContext {
  readonly email: string;
}

/**
 * The members of an order that anybody with its number may read.
 *
 * @param tracker null if the caller entered no email. If the email is the buyer's, the result also contains amounts,
 * payment status, the entries about payment and the actions that the buyer may take
 */
export function orderForTracking(record: OrderRecord, tracker: KnownTracker | null): TrackedOrder {
  const { order, rows } = record;
  const known = tracker?.email === order.customer.email ? tracker : null;
  return {
    number: order.number,
    status: order.status,
    first_name: order.customer.name.split(" ")[0] ?? "",
    city: order.addresses.shipping.city,
    promised: promisedDates(order),
    slot: plannedTime(order),
    items: order.items.map(({ kind, slug, material_code, choices, name, quantity, image }) => ({
      kind,
      slug,
      material_code,
      choices,
      name,
      quantity,
      image,
    })),
    shipments: rows.shipments.map(
      ({ status, carrier, tracking_number, tracking_url, dispatched_at, delivered_at }) => ({
        status,
        carrier,
        tracking_number,
        tracking_url,
        dispatched_at,
        delivered_at,
      }),
    ),
    timeline: rows.timeline
      .filter((entry) => entry.public)
      .flatMap(({ at, type, message }) => {
        if (known) return [{ at, type, message }];
        const open = openSteps[type];
        return open === undefined ? [] : [{ at, type, message: open ?? message }];
      }),
    placed_at: order.placed_at,
    currency: known ? order.currency : null,
    totals: known ? totalsNow(order) : null,
    payment_status: known ? order.payment_status : null,
    payment_method: known ? order.payment_method : null,
    allowed_actions: known && allowedActions(record, known),
  };
}

function plannedTime({ slot }: StoredOrder): TrackedOrder["slot"] {
  if (!slot) return null;
  const { date, label, from, to } = slot;
  return { date, label, from, to };
}

/** How an order is paid. For a gateway payment the action is `none`: the caller gets the action from the gateway. */
export function paymentOf(order: StoredOrder, settings: PaymentSettings): Payment {
  return {
    method: order.payment_method,
    status: order.payment_status,
    amount_due: isUnfulfilled(order.status) ? 0 : amountToPay(order),
    currency: order.currency,
    action: bankDetails(order, settings) ?? { type: "none" },
  };
}

function bankDetails(
  order: StoredOrder,
  { bank_transfer }: PaymentSettings,
): PaymentAction | undefined {
  const { payment_method, number, expires_at, deposit, addition } = order;
  const waits = payment_method === "bank_transfer" && isPayable(order);
  const { account } = bank_transfer;
  if (!waits || account === null) return undefined;
  const until = expires_at ?? deposit?.due_at ?? addition?.due_at ?? null;
  // The partial payment of an order that is paid at once has stopped its expiry. Staff decide about the rest.
  if (until === null && deposit === null) return undefined;
  return { type: "bank_details", account, reference: number, expires_at: until };
}

/** The agreed totals, with what the order is worth now, and the amounts that are paid, refunded, due and retained. */
export function totalsNow(order: StoredOrder): Order["totals"] {
  const { totals, paid, refunded, rounding, status } = order;
  const current = currentOf(order);
  const due = amountDue(order);
  const retained = status === "cancelled" ? current : 0;
  return {
    ...totals,
    paid,
    refunded,
    current,
    rounding,
    due,
    cash_due: cashFor(order, due),
    retained,
  };
}
