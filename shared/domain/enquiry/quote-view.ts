import * as z from "zod";
import { EnquiryNoteView, StaffName } from "./enquiry-view.ts";
import { Money, MoneySum } from "../base/money.ts";
import { allowedTransitions } from "../order/status/order-states.ts";
import { QuoteItem } from "./quote-item.ts";
import { QuoteStatus, quoteMachine, quoteStatusAt, staffMayMoveTo } from "./quote-states.ts";
import { StoredQuote } from "./quote.ts";
import type { TaxSettings } from "../settings/tax-settings.ts";
import { priceLine } from "../pricing/totals.ts";

/** The total of the lines, taxed for the shop's home zone. Shipping is added at checkout. */
export const QuoteTotals = z.object({ items_subtotal: MoneySum, tax: MoneySum, total: MoneySum });
export type QuoteTotals = z.output<typeof QuoteTotals>;

/** The totals of a quote; null while a line has no price. */
export function quoteTotals(items: readonly QuoteItem[], tax: TaxSettings): QuoteTotals | null {
  const totals = { items_subtotal: 0, tax: 0, total: 0 };
  for (const { unit_price, tax_class, quantity } of items) {
    if (unit_price === null) return null;
    const line = { unit_price, tax_class };
    const { amounts } = priceLine(
      line,
      { subtotal: unit_price * quantity, discount: 0 },
      tax,
      null,
    );
    totals.items_subtotal += amounts.line_subtotal;
    totals.tax += amounts.line_tax;
    totals.total += amounts.line_total;
  }
  return totals;
}

const shownItem = {
  id: true,
  kind: true,
  product_id: true,
  sofa_id: true,
  variant_id: true,
  slug: true,
  configuration: true,
  configuration_id: true,
  choices: true,
  name: true,
  sku: true,
  image: true,
  lead_time: true,
  description: true,
  dimensions: true,
  quantity: true,
  list_price: true,
  unit_price: true,
} as const;

const lineTotal = { line_total: MoneySum.nullable() };
const lineTotalOf = ({ unit_price, quantity }: QuoteItem) =>
  unit_price === null ? null : unit_price * quantity;

/** A quote for its customer, who opens it with the mailed link. It lacks the members that only staff see. */
export const QuoteOffer = StoredQuote.pick({
  id: true,
  reference: true,
  status: true,
  name: true,
  currency: true,
  shipping_note: true,
  revision: true,
  valid_until: true,
  sent_at: true,
  version: true,
})
  .extend({
    items: z.array(QuoteItem.pick(shownItem).extend({ unit_price: Money, line_total: MoneySum })),
    totals: QuoteTotals,
  })
  .meta({ id: "QuoteOffer" });
export type QuoteOffer = z.output<typeof QuoteOffer>;

export function quoteOffer(quote: StoredQuote, tax: TaxSettings, now: Date): QuoteOffer {
  const nothing = { items_subtotal: 0, tax: 0, total: 0 };
  return {
    ...quote,
    status: quoteStatusAt(quote, now),
    items: quote.items.map((item) => ({
      ...item,
      unit_price: item.unit_price ?? 0,
      line_total: lineTotalOf(item) ?? 0,
    })),
    totals: quoteTotals(quote.items, tax) ?? nothing,
  };
}

/** A quote in a list. */
export const QuoteSummary = StoredQuote.pick({
  id: true,
  reference: true,
  status: true,
  name: true,
  email: true,
  phone: true,
  postal_code: true,
  lead_id: true,
  currency: true,
  follow_up_at: true,
  revision: true,
  valid_until: true,
  sent_at: true,
  order_id: true,
  erased_at: true,
  version: true,
  created_at: true,
  updated_at: true,
})
  .extend({ assignee: StaffName.nullable(), totals: QuoteTotals.nullable() })
  .meta({ id: "QuoteSummary" });

export const Quote = StoredQuote.omit({ assignee_id: true, link_hash: true })
  .extend({
    items: z.array(QuoteItem.extend(lineTotal)),
    totals: QuoteTotals.nullable(),
    assignee: StaffName.nullable(),
    notes: z.array(EnquiryNoteView).meta({ description: "Oldest first" }),
    allowed_transitions: z.array(QuoteStatus),
  })
  .meta({ id: "Quote" });

/** The members of a response to staff that need no other records than the quote. */
export function quoteFacts(quote: StoredQuote, tax: TaxSettings, now: Date) {
  const status = quoteStatusAt(quote, now);
  return {
    ...quote,
    status,
    items: quote.items.map((item) => ({ ...item, line_total: lineTotalOf(item) })),
    totals: quoteTotals(quote.items, tax),
    allowed_transitions: allowedTransitions(quoteMachine, status).filter(staffMayMoveTo),
  };
}
