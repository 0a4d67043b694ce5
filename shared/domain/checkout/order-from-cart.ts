import type { PostalAddress } from "../contact/postal-address.ts";
import type { StoredCart } from "../cart/cart.ts";
import type { CheckoutInput } from "./checkout.ts";
import type { OrderItem, StoredOrder, TimelineEntry } from "../order/order.ts";
import type { OrderNumber } from "../order/order-number.ts";
import type { Sale } from "../base/sales-channel.ts";
import type { BookedSlot } from "../delivery/delivery-slot.ts";
import type { OrderDeposit } from "../payment/owing.ts";
import { paymentStatus } from "../payment/payment.ts";
import { identityOf, type PricedLine } from "../pricing/priced-line.ts";
import { expiryFor, staffExpiry } from "../payment/payment-window.ts";
import { cashStepOf } from "../payment/rounding.ts";
import type { ReturnSettings } from "../settings/return-settings.ts";
import type { PaymentMethod, PaymentSettings } from "../settings/settings.ts";
import type { PricedLineAmounts } from "../pricing/totals.ts";
import type { FinalPricing } from "./final-pricing.ts";

/** The data of a new order. */
export interface Placement {
  readonly id: string;
  readonly number: OrderNumber;
  readonly cart: Pick<StoredCart, "currency" | "customer_id" | "lines"> & {
    /** Null for an order that staff place. */
    readonly id: string | null;
  };
  /** In the order of `pricing.lines`. */
  readonly lines: readonly PricedLine[];
  readonly pricing: FinalPricing;
  readonly request: Pick<
    CheckoutInput,
    "phone" | "name" | "payment_method" | "tax_id" | "note" | "marketing_opt_in"
  > & { readonly email: string | null };
  readonly sale: Sale;
  readonly couponCode: string | null;
  readonly addresses: { readonly shipping: PostalAddress; readonly billing: PostalAddress };
  readonly payments: PaymentSettings;
  readonly returns: Pick<ReturnSettings, "refund_shipping">;
  readonly counted: StoredOrder["counted"];
  /** Null for a customer's order. */
  readonly accessTokenHash: string | null;
  /** The amount that is paid first; null if the order is paid at once. */
  readonly deposit: number | null;
  /** Whether the deposit gets vouchers. */
  readonly hasVouchers: boolean;
  /** The slot that checkout books; null if the cart holds none. */
  readonly slot: BookedSlot | null;
  /** Whether slots can be chosen for the destination and method. */
  readonly offersSlot: boolean;
  readonly now: Date;
}

/**
 * Creates an order from a cart, with the first entries of its timeline. The order is `confirmed` if nothing is due
 * before delivery, otherwise `pending_payment` with an expiry.
 */
export function orderFromCart(placement: Placement): {
  order: StoredOrder;
  timeline: TimelineEntry[];
} {
  const { pricing, request, now, couponCode } = placement;
  const { method, quote, totals } = pricing;
  const placed_at = now.toISOString();
  const payment_status = paymentStatus([], {
    method: request.payment_method,
    current: totals.grand_total,
  });
  const confirmed = payment_status === "paid" || payment_status === "cod_pending";

  const order: StoredOrder = {
    id: placement.id,
    number: placement.number,
    status: confirmed ? "confirmed" : "pending_payment",
    payment_status,
    payment_method: request.payment_method,
    paid: 0,
    refunded: 0,
    current: totals.grand_total,
    received: 0,
    rounding: 0,
    rounding_paid: 0,
    disputed: 0,
    refund_shipping: placement.returns.refund_shipping,
    cash_rounding: cashStepOf(placement.cart.currency, placement.payments.cash_rounding),
    cart_id: placement.cart.id,
    ...placement.sale,
    customer: {
      id: placement.cart.customer_id,
      name: request.name,
      email: request.email,
      phone: request.phone,
    },
    access_token_hash: placement.accessTokenHash,
    currency: placement.cart.currency,
    items: placement.lines.map((line, index) => orderItem(line, pricing.lines[index]!)),
    addresses: placement.addresses,
    shipping: {
      method: method.code,
      label: method.label,
      includes: method.includes,
      zone: quote.zone.code,
      promised: method.eta,
      tax_components: [...pricing.shipping_tax_components],
    },
    coupon_code: couponCode,
    quotes: quotesOf(placement.cart.lines),
    totals: {
      items_subtotal: totals.items_subtotal,
      discount: totals.discount,
      shipping: totals.shipping,
      shipping_tax: totals.shipping_tax,
      tax: totals.tax,
      grand_total: totals.grand_total,
    },
    tax_id: request.tax_id ?? null,
    note: request.note ?? null,
    marketing_opt_in: request.marketing_opt_in,
    counted: placement.counted,
    invoice: null,
    notes: null,
    tags: [],
    attention: [],
    version: 1,
    placed_at,
    updated_at: placed_at,
    expires_at: confirmed ? null : expiryOf(placement),
    delivered_at: null,
    slot: placement.slot,
    offers_slot: placement.offersSlot,
    placed: null,
    addition: null,
    waiver: null,
    deposit: placement.deposit === null ? null : agreed(placement.deposit, placement),
  };
  return { order, timeline: firstEntries(order) };
}

function expiryOf({ cart, request, payments, now }: Placement): StoredOrder["expires_at"] {
  if (cart.id === null) return staffExpiry(payments, now);
  return expiryFor(request.payment_method, { payments, isGuest: cart.customer_id === null }, now);
}

/** The terms of a deposit, as the shop offers them now. */
function agreed(
  amount: number,
  { payments, hasVouchers }: Pick<Placement, "payments" | "hasVouchers">,
): OrderDeposit {
  const { refundable_until, balance_days, remind_after_days } = payments.deposit;
  return {
    amount,
    refundable_until,
    balance_days,
    remind_after_days,
    has_vouchers: hasVouchers,
    due_at: null,
  };
}

/** The quotes of the lines, each once. */
function quotesOf(lines: StoredCart["lines"]): StoredOrder["quotes"] {
  const quoted = lines.flatMap((line) =>
    line.kind === "quoted" ? [[line.quote_id, line.revision] as const] : [],
  );
  return Array.from(new Map(quoted), ([id, revision]) => ({ id, revision }));
}

/** The line of an order for a priced line. */
export function orderItem(
  line: PricedLine,
  { amounts, tax_components }: PricedLineAmounts,
): OrderItem {
  return {
    ...identityOf(line),
    ...amounts,
    price_lines: [...line.price_lines],
    tax_class: line.tax_class,
    tax_components: [...tax_components],
    hsn_code: line.hsn_code,
    lead_time: line.availability.lead_time,
    made_to_order: line.made_to_order,
    cod_eligible: line.cod_eligible,
    upload_ids: [...line.upload_ids],
    note: line.note,
    parcels: [...line.parcels],
    warranty: [...line.warranty],
    change_id: null,
    added_at: null,
    ready_at: null,
  };
}

/** What the buyer has to do next, by payment method. */
export const nextSteps: Readonly<Record<PaymentMethod, string>> = {
  gateway: "We are waiting for your payment.",
  bank_transfer: "We are waiting for your bank transfer.",
  cod: "You pay when you receive it.",
};

function firstEntries({
  placed_at: at,
  status,
  payment_status,
  payment_method,
}: StoredOrder): TimelineEntry[] {
  const placed = { at, type: "placed", message: "We have received your order.", public: true };
  const payment =
    payment_status === "paid" ? "There is nothing to pay." : nextSteps[payment_method];
  const next =
    status === "confirmed"
      ? { at, type: "confirmed", message: `Your order is confirmed. ${payment}`, public: true }
      : { at, type: "pending_payment", message: payment, public: true };
  return [placed, next];
}
