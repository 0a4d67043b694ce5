import * as z from "zod";
import { storedEnquiry } from "./enquiry.ts";
import { Id } from "../base/ids.ts";
import { Currency } from "../base/money.ts";
import { QuoteItem } from "./quote-item.ts";
import { quoteTerms } from "./quote-terms.ts";
import { QuoteStatus } from "./quote-states.ts";
import { NullableTimestamp } from "../base/text.ts";

export const quoteLimits = { items: 30, uploads: 10 } as const;

export const UploadIds = z.array(Id("upl")).max(quoteLimits.uploads);

/** How a customer has accepted: with the mailed link, or to staff. */
export const AcceptedBy = z.enum(["link", "phone", "showroom"]);
export type AcceptedBy = z.output<typeof AcceptedBy>;

/** A quote as stored. `expired` is never stored: it follows from `valid_until`. */
export const StoredQuote = z.object({
  id: Id("qte"),
  status: QuoteStatus,
  ...storedEnquiry,
  consented_at: NullableTimestamp.meta({ description: "Null for a quote that staff began" }),
  customer_id: Id("cus").nullable(),
  lead_id: z.string().nullable(),
  currency: Currency,
  items: z.array(QuoteItem).max(quoteLimits.items),
  upload_ids: UploadIds,
  ...quoteTerms,
  free_shipping: z.boolean().default(false).meta({
    description: "Whether the quote was sent with a coupon that makes delivery free",
  }),
  shipping_note: z.string().nullable(),
  /** How often the quote was sent. */
  revision: z.int().min(0),
  valid_until: NullableTimestamp,
  /** Hash of the token in the link mailed last; null if no link is valid. */
  link_hash: z.string().nullable(),
  sent_at: NullableTimestamp,
  accepted_at: NullableTimestamp,
  accepted_by: AcceptedBy.nullable(),
  declined_reason: z.string().nullable(),
  /** The order that was placed at the quote's prices. */
  order_id: z.string().nullable(),
});
export type StoredQuote = z.output<typeof StoredQuote>;
