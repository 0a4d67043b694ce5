import * as z from "zod";
import { EnquiryNoteView, StaffName } from "./enquiry.ts";
import { MoneySum } from "../base/money.ts";
import { allowedTransitions } from "../order/status/order-states.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { QuoteItem } from "./quote-item.ts";
import { QuoteStatus, quoteMachine, quoteStatusAt, staffMayMoveTo, StoredQuote } from "./quote.ts";
import { LineAmounts } from "../pricing/priced-line.ts";
import { Totals } from "../pricing/totals.ts";
import { type PriceSettings, priceQuote } from "./quote-price.ts";

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
  lead_time: true,
  description: true,
  dimensions: true,
  quantity: true,
  regular_price: true,
  unit_price: true,
} as const;

const amountsIfPriced = {
  line_subtotal: MoneySum.nullable(),
  line_discount: MoneySum.nullable(),
  line_tax: MoneySum.nullable(),
  line_total: MoneySum.nullable(),
};
const unpriced = { line_subtotal: null, line_discount: null, line_tax: null, line_total: null };

/** A quote for its customer, who opens it with the mailed link. It lacks the members that only staff see. */
export const QuoteOffer = StoredQuote.pick({
  id: true,
  reference: true,
  status: true,
  name: true,
  currency: true,
  coupon: true,
  shipping_note: true,
  revision: true,
  valid_until: true,
  sent_at: true,
  version: true,
})
  .extend({
    items: z.array(
      QuoteItem.pick(shownItem).extend({ image: PublicPicture.nullable(), ...LineAmounts.shape }),
    ),
    totals: Totals,
  })
  .meta({ id: "QuoteOffer" });
/** A quote before its response. */
export type QuoteOffer = z.input<typeof QuoteOffer>;

/** @throws TypeError when a line has no price, which the lines of a sent quote have */
export function quoteOffer(quote: StoredQuote, settings: PriceSettings, now: Date): QuoteOffer {
  const pricing = priceQuote(quote, settings);
  if (!pricing) throw new TypeError("A sent quote has a line without a price");
  return {
    ...quote,
    status: quoteStatusAt(quote, now),
    items: quote.items.map((item, index) => ({ ...item, ...pricing.lines[index]!.amounts })),
    totals: pricing.totals,
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
  .extend({ assignee: StaffName.nullable(), totals: Totals.nullable() })
  .meta({ id: "QuoteSummary" });

export const Quote = StoredQuote.omit({ assignee_id: true, link_hash: true })
  .extend({
    items: z.array(QuoteItem.extend(amountsIfPriced)),
    totals: Totals.nullable(),
    assignee: StaffName.nullable(),
    notes: z.array(EnquiryNoteView).meta({ description: "Oldest first" }),
    allowed_transitions: z.array(QuoteStatus),
  })
  .meta({ id: "Quote" });

/** The members of a response to staff that need no other records than the quote. */
export function quoteFacts(quote: StoredQuote, settings: PriceSettings, now: Date) {
  const status = quoteStatusAt(quote, now);
  const pricing = priceQuote(quote, settings);
  return {
    ...quote,
    status,
    items: quote.items.map((item, index) => ({
      ...item,
      ...(pricing?.lines[index]!.amounts ?? unpriced),
    })),
    totals: pricing?.totals ?? null,
    allowed_transitions: allowedTransitions(quoteMachine, status).filter(staffMayMoveTo),
  };
}
