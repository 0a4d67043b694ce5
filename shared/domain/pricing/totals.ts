import type { ShippingMethodCode } from "../settings/zone-settings.ts";
import * as z from "zod";
import type { Destination } from "../contact/postal-code.ts";
import { type CodVerdict, judgeCod, minimumCharge, tooSmallOnline } from "./payment-methods.ts";
import { type CouponCase, type CouponVerdict, besideQuoteCoupon, judgeCoupon } from "./coupon.ts";
import { MoneySum } from "../base/money.ts";
import { depositOf } from "./payment-plans.ts";
import type { LineAmounts, PricedLine } from "./priced-line.ts";
import { type Settings, isOffered } from "../settings/settings.ts";
import type { TaxSettings } from "../settings/tax-settings.ts";
import {
  type DeliveryProblem,
  deliveryProblem,
  type MethodsQuote,
  quoteShipping,
  type ShippingMethod,
  type ShippingQuote,
} from "../delivery/shipping.ts";
import { levies, type TaxComponent, taxOf } from "./tax.ts";

/** The totals of a cart. `provisional` while shipping is unknown. */
export const Totals = z.object({
  items_subtotal: MoneySum,
  discount: MoneySum,
  /** Including tax. */
  shipping: MoneySum.nullable(),
  /** Included in `shipping`. */
  shipping_tax: MoneySum,
  /** The tax on items and shipping. */
  tax: MoneySum,
  grand_total: MoneySum,
  provisional: z.boolean(),
});
export type Totals = z.output<typeof Totals>;

/** Everything that determines a cart's price. */
export interface PricingRequest {
  readonly lines: readonly PricedLine[];
  /** Null if the cart has no coupon. */
  readonly coupon: CouponCase | null;
  /** Whether a quote among the lines promises free delivery. */
  readonly free_shipping?: boolean;
  /** Whether a quote among the lines has a coupon of its own. No other coupon joins it. */
  readonly has_quote_coupon?: boolean;
  readonly settings: Pick<Settings, "store" | "payments" | "shipping" | "tax">;
  readonly destination: Destination | null;
  readonly method: ShippingMethodCode | null;
  readonly now: Date;
}

export interface PricedLineAmounts {
  readonly amounts: LineAmounts;
  readonly tax_components: readonly TaxComponent[];
}

/** The price of a cart, and its shipping and payment choices. */
export interface Pricing {
  /** In the order of the request's lines. */
  readonly lines: readonly PricedLineAmounts[];
  readonly totals: Totals;
  readonly shipping_tax_components: readonly TaxComponent[];
  readonly coupon: CouponVerdict | null;
  /** Null without a destination. */
  readonly quote: ShippingQuote | null;
  readonly cod: CodVerdict | null;
  /** The deposit that the cart can be placed with; null if it must be paid at once. */
  readonly deposit: number | null;
  /** The requested method, if it is offered and there are lines to deliver. */
  readonly method: ShippingMethod | null;
  /** Null if there is no problem, no destination, or nothing to deliver. */
  readonly delivery_problem: DeliveryProblem | null;
}

/**
 * Prices a cart. All amounts of carts, quotes and checkouts are computed here. `line_total = line_subtotal −
 * line_discount`, plus `line_tax` if prices exclude tax; `grand_total = Σ line_total + shipping`; `tax = Σ line_tax +
 * shipping_tax`. Shipping includes its tax.
 */
export function priceCart(request: PricingRequest): Pricing {
  const { lines, settings, destination, free_shipping = false, now } = request;
  const subtotals = lines.map(({ unit_price, quantity }) => unit_price * quantity);
  const coupon = request.coupon && judged(request.coupon, request);
  const shares = coupon?.valid ? coupon.shares : [];
  const discounts = lines.map(({ discount }, index) => discount + (shares[index] ?? 0));
  const priced = lines.map((line, index) =>
    priceLine(
      line,
      { subtotal: subtotals[index]!, discount: discounts[index]! },
      settings.tax,
      destination,
    ),
  );

  const discount = sum(discounts);
  const items_subtotal = sum(subtotals);
  const quoted =
    destination &&
    quoteShipping({
      consignments: lines.map((line) => ({ ...line, lead_time: line.availability.lead_time })),
      destination,
      shipping: settings.shipping,
      timezone: settings.store.timezone,
      itemsTotal: items_subtotal - discount,
      free: free_shipping || (coupon?.valid === true && coupon.freeShipping),
      now,
    });
  const deliverable = lines.length > 0 ? quoted : null;
  const method = deliverable?.methods.find(({ code }) => code === request.method) ?? null;
  const shippingTax = taxOf(
    method?.amount ?? 0,
    levies(settings.tax, settings.tax.shipping_class, destination),
    { inclusive: true },
  );

  const grand_total = sum(priced.map(({ amounts }) => amounts.line_total)) + (method?.amount ?? 0);
  const cod =
    quoted &&
    judgeCod({
      settings: settings.payments.cod,
      servedInZone: quoted.codInZone,
      grandTotal: grand_total,
      lines,
    });
  return {
    lines: priced,
    totals: {
      items_subtotal,
      discount,
      shipping: method?.amount ?? null,
      shipping_tax: shippingTax.tax,
      tax: sum(priced.map(({ amounts }) => amounts.line_tax)) + shippingTax.tax,
      grand_total,
      provisional: method === null,
    },
    shipping_tax_components: shippingTax.components,
    coupon,
    deposit: depositOf(grand_total, lines, settings.payments),
    quote: quoted && cod && quoteOf(quoted, cod, grand_total, settings),
    cod,
    method,
    delivery_problem: deliverable && deliveryProblem(deliverable, request.method),
  };
}

function judged(
  coupon: CouponCase,
  { lines, settings, has_quote_coupon = false, now }: PricingRequest,
): CouponVerdict {
  return has_quote_coupon
    ? besideQuoteCoupon
    : judgeCoupon(coupon, lines.map(couponLine), now, settings.store);
}

function couponLine(line: PricedLine) {
  const { product_id, sofa_id, categories, unit_price, quantity, kind } = line;
  const subtotal = unit_price * quantity;
  return { subtotal, product_id, sofa_id, categories, quoted: kind === "quoted" };
}

export function priceLine(
  line: Pick<PricedLine, "unit_price" | "tax_class">,
  { subtotal, discount }: { subtotal: number; discount: number },
  settings: TaxSettings,
  destination: Destination | null,
): PricedLineAmounts {
  const inclusive = settings.prices_include_tax;
  const net = subtotal - discount;
  const { tax, components } = taxOf(net, levies(settings, line.tax_class, destination), {
    inclusive,
  });
  return {
    amounts: {
      unit_price: line.unit_price,
      line_subtotal: subtotal,
      line_discount: discount,
      line_tax: tax,
      line_total: inclusive ? net : net + tax,
    },
    tax_components: components,
  };
}

function quoteOf(
  { serviceable, reason, zone, methods }: MethodsQuote,
  cod: CodVerdict,
  grandTotal: number,
  { store: { currency }, payments }: Pick<Settings, "store" | "payments">,
): ShippingQuote {
  const { available, max_amount } = cod;
  const isEnough = grandTotal === 0 || tooSmallOnline(grandTotal, currency) === null;
  const gateway = {
    available: isOffered("gateway", payments) && isEnough,
    min_amount: isEnough ? null : minimumCharge(currency),
  };
  return { serviceable, reason, zone, cod: { available, max_amount }, gateway, currency, methods };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
