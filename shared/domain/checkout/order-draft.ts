import type { SaleReading } from "../cart/cart-view.ts";
import type { QuoteState } from "../cart/quoted-line.ts";
import type { OrderItem, StoredOrder, TimelineEntry } from "../order/order.ts";
import type { OrderNumber } from "../order/order-number.ts";
import type { Sale } from "../base/sales-channel.ts";
import type { BookedSlot } from "../delivery/delivery-slot.ts";
import { slotZoneFor } from "../delivery/slot-zone.ts";
import type { OrderDeposit } from "../payment/owing.ts";
import { type Tender, paymentStatus } from "../payment/payment.ts";
import type { PaymentInput } from "../payment/record-payment.ts";
import type { Coupon } from "../pricing/coupon.ts";
import { identityOf, type PricedLine } from "../pricing/priced-line.ts";
import { expiryFor, staffExpiry } from "../payment/payment-window.ts";
import { cashStepOf } from "../payment/rounding.ts";
import type { PaymentMethod, Settings } from "../settings/settings.ts";
import type { ShippingMethodCode } from "../settings/zone-settings.ts";
import type { PricedLineAmounts } from "../pricing/totals.ts";
import type { FinalPricing, OrderTerms } from "./final-pricing.ts";

/** What becomes an order: a cart, or a quote that staff place. */
export interface OrderDraft extends SaleReading {
  /** `access_token_hash` is null for a customer's order. */
  readonly buyer: Pick<
    StoredOrder,
    "customer" | "access_token_hash" | "tax_id" | "note" | "marketing_opt_in"
  >;
  readonly delivery: {
    readonly addresses: StoredOrder["addresses"];
    readonly method: ShippingMethodCode;
  };
  /** What staff have received already. */
  readonly payments: readonly ReceivedPayment[];
  readonly terms: OrderTerms & { readonly sale: Sale };
  /** The coupon in the prices; null if there is none. */
  readonly coupon: DraftCoupon | null;
  /** What the order uses up. */
  readonly converts: {
    /** Null for an order that staff place. */
    readonly cart_id: string | null;
    readonly quotes: readonly Pick<QuoteState, "id" | "revision" | "lead_id">[];
  };
}

interface DraftCoupon {
  readonly code: string;
  /** Undefined if it was deleted after a quote was sent with it. */
  readonly record: Coupon | undefined;
  /** Whether a quote was sent with the coupon, which is then honoured beyond its limits. */
  readonly isPromised: boolean;
}

/** A payment that staff receive with the order. Its amount is, by default, what is due now. */
interface ReceivedPayment extends Pick<PaymentInput, "reference" | "again"> {
  readonly tender: Tender;
  readonly amount?: number | undefined;
}

/** What a draft gets when it becomes an order. */
interface Placement {
  readonly id: string;
  readonly number: OrderNumber;
  readonly pricing: FinalPricing;
  readonly counted: StoredOrder["counted"];
  readonly slot: BookedSlot | null;
  readonly settings: Pick<Settings, "payments" | "returns" | "shipping" | "store" | "tax">;
  readonly now: Date;
}

/**
 * Creates an order, with the first entries of its timeline. The order is `confirmed` if nothing is due before delivery,
 * otherwise `pending_payment` with an expiry.
 */
export function orderFrom(
  draft: OrderDraft,
  { id, number, pricing, counted, slot, settings, now }: Placement,
): { order: StoredOrder; timeline: TimelineEntry[] } {
  const { buyer, coupon, converts, currency, delivery, lines, terms } = draft;
  const { method, quote } = pricing;
  const { provisional: _provisional, ...totals } = pricing.totals;
  const { payment_method, payment_plan, sale } = terms;
  const { addresses } = delivery;
  const placed_at = now.toISOString();
  const current = totals.grand_total;
  const payment_status = paymentStatus([], { method: payment_method, current });
  const confirmed = payment_status === "paid" || payment_status === "cod_pending";
  const wanted = { destination: addresses.shipping, method: method.code, settings };

  const order: StoredOrder = {
    id,
    number,
    status: confirmed ? "confirmed" : "pending_payment",
    payment_status,
    payment_method,
    paid: 0,
    refunded: 0,
    current,
    received: 0,
    rounding: 0,
    rounding_paid: 0,
    disputed: 0,
    refund_shipping: settings.returns.refund_shipping,
    cash_rounding: cashStepOf(currency, settings.payments.cash_rounding),
    cart_id: converts.cart_id,
    ...sale,
    ...buyer,
    currency,
    items: lines.map(({ line }, index) => orderItem(line, pricing.lines[index]!)),
    addresses,
    shipping: {
      method: method.code,
      label: method.label,
      includes: method.includes,
      zone: quote.zone.code,
      promised: method.eta,
      tax_components: [...pricing.shipping_tax_components],
    },
    coupon_code: coupon?.code ?? null,
    quotes: converts.quotes.map(({ id, revision }) => ({ id, revision })),
    totals,
    counted,
    invoice: null,
    notes: null,
    tags: [],
    attention: [],
    version: 1,
    placed_at,
    updated_at: placed_at,
    expires_at: confirmed ? null : expiryOf(draft, settings, now),
    delivered_at: null,
    slot,
    offers_slot: slotZoneFor(wanted) !== null,
    placed: null,
    addition: null,
    waiver: null,
    deposit:
      payment_plan === "deposit" && pricing.deposit !== null
        ? agreed(pricing.deposit, settings)
        : null,
  };
  return { order, timeline: firstEntries(order) };
}

function expiryOf(
  { buyer: { customer }, converts, terms }: OrderDraft,
  { payments }: Placement["settings"],
  now: Date,
): StoredOrder["expires_at"] {
  if (converts.cart_id === null) return staffExpiry(payments, now);
  return expiryFor(terms.payment_method, { payments, isGuest: customer.id === null }, now);
}

/** The terms of a deposit, as the shop offers them now. */
function agreed(amount: number, { payments, tax }: Placement["settings"]): OrderDeposit {
  const { refundable_until, balance_days, remind_after_days } = payments.deposit;
  return {
    amount,
    refundable_until,
    balance_days,
    remind_after_days,
    has_vouchers: tax.vouchers_for_advances,
    due_at: null,
  };
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
