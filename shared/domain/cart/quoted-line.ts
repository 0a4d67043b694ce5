import { availabilityOf } from "../catalog/availability.ts";
import { type Sale, ownSale, saleOf } from "../base/sales-channel.ts";
import type { StoredCartLine } from "./cart.ts";
import type { PaymentPlanCode } from "../pricing/payment-plans.ts";
import type { Stock } from "../catalog/stock.ts";
import { type LineOf, type ResolvedLine, bareLine } from "./bare-line.ts";

/** Whether a quote is still accepted, in which revision, and what its order takes from it. */
export interface QuoteState extends Sale {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
  readonly payment_plan: PaymentPlanCode;
}

/** What an order from a cart takes from the cart's first quote: how it was sold and its payment plan. */
export function agreedTerms(
  lines: readonly StoredCartLine[],
  quotes: ReadonlyMap<string, QuoteState>,
): { readonly sale: Sale; readonly payment_plan: PaymentPlanCode } {
  const quoted = lines.find((line) => line.kind === "quoted");
  const quote = quoted && quotes.get(quoted.quote_id);
  if (!quote) return { sale: ownSale, payment_plan: "full" };
  return { sale: saleOf(quote), payment_plan: quote.payment_plan };
}

/** What a quoted line depends on: quotes by their ids, stock by the ids of variants. */
interface QuotedFacts {
  readonly quotes: ReadonlyMap<string, QuoteState>;
  readonly stock: ReadonlyMap<string, Stock>;
}

/** Completes the line of a quote, whose price holds while the quote is accepted and valid. */
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
  const { name, image, configuration, configuration_id } = stored;
  const { sku, tax_class, hsn_code, lead_time, delivery_classes, parcels } = stored;
  return {
    line: {
      ...bareLine(stored),
      name,
      image,
      configuration,
      configuration_id,
      tax_class,
      hsn_code,
      delivery_classes,
      parcels,
      availability:
        sku === null
          ? { state: "made_to_order", lead_time }
          : availabilityOf(stock.get(stored.variant_id ?? ""), {
              lead_time,
              backorder_lead_time: null,
            }),
      made_to_order: sku === null,
      cod_eligible: false,
    },
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
