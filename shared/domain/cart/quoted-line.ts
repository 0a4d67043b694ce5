import { availabilityOf } from "../catalog/availability.ts";
import type { Stock } from "../catalog/stock.ts";
import { type LineOf, type ResolvedLine, bareLine } from "./bare-line.ts";

/** The members that show whether a quote is still accepted, and in which revision. */
export interface QuoteState {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
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
