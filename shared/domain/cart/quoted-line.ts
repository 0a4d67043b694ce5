import { availabilityOf } from "../catalog/availability.ts";
import { type Sale, ownSale, saleOf } from "../base/sales-channel.ts";
import type { StoredCartLine } from "./cart.ts";
import type { ShippingMethodCode } from "../settings/zone-settings.ts";
import type { PaymentPlanCode } from "../pricing/payment-plans.ts";
import type { PricedLine } from "../pricing/priced-line.ts";
import type { Stock } from "../catalog/stock.ts";
import { type LineOf, type QuotedLine, type ResolvedLine, bareLine } from "./bare-line.ts";

/** Whether a quote is still accepted, in which revision, and what its order takes from it. */
export interface QuoteState extends Sale {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
  readonly payment_plan: PaymentPlanCode;
  readonly shipping_method: ShippingMethodCode | null;
  /** The coupon that is in the prices of its lines. */
  readonly coupon: string | null;
  readonly free_shipping: boolean;
  readonly lead_id: string | null;
}

interface AgreedTerms {
  readonly sale: Sale;
  readonly payment_plan: PaymentPlanCode;
  /** Null if it is open. */
  readonly shipping_method: ShippingMethodCode | null;
  /** The coupon of a quote; null if no quote has one. */
  readonly coupon: string | null;
  readonly free_shipping: boolean;
}

const nothingAgreed: AgreedTerms = {
  sale: ownSale,
  payment_plan: "full",
  shipping_method: null,
  coupon: null,
  free_shipping: false,
};

/**
 * What an order from a cart takes from the cart's quotes: how it was sold, its payment plan and its delivery method from
 * the first one, and the coupon of the one that has a coupon.
 */
export function agreedTerms(
  lines: readonly StoredCartLine[],
  quotes: ReadonlyMap<string, QuoteState>,
): AgreedTerms {
  const [first, ...others] = quotesOf(lines, quotes);
  if (!first) return nothingAgreed;
  const { coupon, free_shipping } = [first, ...others].find(hasCoupon) ?? nothingAgreed;
  const { payment_plan, shipping_method } = first;
  return { sale: saleOf(first), payment_plan, shipping_method, coupon, free_shipping };
}

/** The quotes of the lines, each once. */
export const quotesOf = (
  lines: readonly StoredCartLine[],
  quotes: ReadonlyMap<string, QuoteState>,
): QuoteState[] => {
  const ids = lines.flatMap((line) => (line.kind === "quoted" ? line.quote_id : []));
  return [...new Set(ids)].flatMap((id) => quotes.get(id) ?? []);
};

const hasCoupon = ({ coupon }: QuoteState): boolean => coupon !== null;

/** The lines of a cart, of which those of a second quote with a coupon cannot be bought: an order has one coupon. */
export function withOneCoupon(
  stored: readonly StoredCartLine[],
  resolved: readonly ResolvedLine[],
  quotes: ReadonlyMap<string, QuoteState>,
): readonly ResolvedLine[] {
  const [, ...surplus] = quotesOf(stored, quotes).filter(hasCoupon);
  const ids = new Set(surplus.map(({ id }) => id));
  return resolved.map((each, index) => {
    const line = stored[index]!;
    if (line.kind !== "quoted" || !ids.has(line.quote_id) || each.requirement) return each;
    const message = "Two quotes with a coupon cannot be ordered together. Order one of them first.";
    return { ...each, requirement: { code: "coupon_invalid", message, item_id: line.id } };
  });
}

/** What a quoted line depends on: quotes by their ids, stock by the ids of variants. */
interface QuotedFacts {
  readonly quotes: ReadonlyMap<string, QuoteState>;
  readonly stock: ReadonlyMap<string, Stock>;
}

/** Completes the line of a quote in a cart. Its price holds while the quote is accepted and valid. */
export function resolveQuotedLine(
  stored: LineOf<"quoted">,
  { quotes, stock }: QuotedFacts,
  now: Date,
): ResolvedLine {
  const quote = quotes.get(stored.quote_id);
  const stands =
    quote?.status === "accepted" &&
    quote.revision === stored.revision &&
    Date.parse(stored.valid_until) > now.getTime();
  return {
    line: completedLine(stored, stock),
    requirement: stands
      ? null
      : {
          code: "quote_expired",
          message:
            quote?.status === "converted"
              ? "This quote has already been ordered."
              : "This quoted price is no longer valid.",
          item_id: stored.id,
        },
  };
}

/** Completes the line of a quote, at the quote's price. */
export function completedLine(stored: QuotedLine, stock: QuotedFacts["stock"]): PricedLine {
  const { name, image, configuration, configuration_id } = stored;
  const { sku, tax_class, hsn_code, lead_time, delivery_classes, parcels, warranty } = stored;
  return {
    ...bareLine(stored),
    name,
    image,
    configuration,
    configuration_id,
    tax_class,
    hsn_code,
    delivery_classes,
    parcels,
    warranty,
    availability:
      sku === null
        ? { state: "made_to_order", lead_time }
        : availabilityOf(stock.get(stored.variant_id ?? ""), {
            lead_time,
            backorder_lead_time: null,
          }),
    made_to_order: sku === null,
    cod_eligible: false,
  };
}
