import * as z from "zod";
import { type EnquiryReference } from "./enquiry.ts";
import { canBeReached, enquiryInput, enquiryPatch, unreachable } from "./enquiry-input.ts";
import { Id } from "../base/ids.ts";
import { QuoteItemEdit, QuoteItemInput } from "./quote-item-input.ts";
import type { QuoteItem } from "./quote-item.ts";
import { QuoteStatus } from "./quote-states.ts";
import { type StoredQuote, UploadIds, quoteLimits } from "./quote.ts";
import { MultilineText, Timestamp } from "../base/text.ts";

/** `POST /quotes`. */
export const QuoteInput = z
  .strictObject({
    ...enquiryInput,
    items: z.array(QuoteItemInput).min(1).max(quoteLimits.items),
    upload_ids: UploadIds.default([])
      .overwrite((ids) => [...new Set(ids)])
      .meta({ description: "Ids of ready pictures; the quote keeps them from expiring" }),
  })
  .refine(canBeReached, unreachable());
export type QuoteInput = z.output<typeof QuoteInput>;

export const QuotePatch = z.strictObject({
  status: QuoteStatus.optional().meta({
    description: "`sent` raises the revision and mails a new link",
  }),
  ...enquiryPatch,
  reason: enquiryPatch.reason.meta({ description: "Why the quote is declined" }),
  lead_id: Id("lead").nullable().optional(),
  items: z
    .array(QuoteItemEdit)
    .min(1)
    .max(quoteLimits.items)
    .optional()
    .meta({ description: "All lines of the quote; a line that is left out is removed" }),
  shipping_note: MultilineText(1_000).nullable().optional(),
  valid_until: Timestamp.optional().meta({
    description:
      "Default when the quote is sent: the stored time if it is in the future, otherwise two weeks later",
  }),
});
export type QuotePatch = z.output<typeof QuotePatch>;

export function newQuote(
  input: Omit<QuoteInput, "items"> & { items: QuoteItem[] },
  made: {
    id: string;
    reference: EnquiryReference;
    currency: string;
    letter_withheld?: boolean;
    now: Date;
  },
): StoredQuote {
  const { consent: _consent, website: _website, ...content } = input;
  const { id, reference, currency, letter_withheld = false } = made;
  const at = made.now.toISOString();
  return {
    ...content,
    id,
    reference,
    status: "submitted",
    currency,
    consented_at: at,
    assignee_id: null,
    follow_up_at: null,
    lead_id: null,
    shipping_note: null,
    revision: 0,
    valid_until: null,
    link_hash: null,
    sent_at: null,
    accepted_at: null,
    declined_reason: null,
    order_id: null,
    letter_withheld,
    erased_at: null,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}
