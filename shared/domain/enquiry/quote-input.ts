import * as z from "zod";
import type { EnquiryReference } from "./enquiry.ts";
import { canBeReached, enquiryInput, enquiryPatch, unreachable } from "./enquiry-input.ts";
import { Id } from "../base/ids.ts";
import { QuoteItemEdit, QuoteItemInput } from "./quote-item-input.ts";
import type { QuoteItem } from "./quote-item.ts";
import {
  QuoteStatus,
  AcceptedBy,
  type StoredQuote,
  UploadIds,
  quoteLimits,
  changedTerms,
  openTerms,
  quoteTermsInput,
} from "./quote.ts";
import { Email, MultilineText, Phone, Text, Timestamp } from "../base/text.ts";
import { SalesChannel } from "../base/sales-channel.ts";

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

/** Whom staff make a quote for: somebody with an account, or anybody who can be reached. */
const QuoteCustomer = z
  .strictObject({
    id: Id("cus").optional(),
    name: Text(120).optional(),
    email: Email.nullable().default(null),
    phone: Phone.nullable().default(null),
  })
  .transform(({ id, name, ...contact }, context) => {
    const isNamed = name !== undefined && canBeReached(contact);
    if (id !== undefined && name === undefined && !canBeReached(contact)) return { id };
    if (id === undefined && isNamed) return { name, ...contact };
    const message = "Give the id of a customer, or a name with an email or a phone number.";
    context.addIssue({ code: "custom", path: ["id"], message });
    return z.NEVER;
  });
export type QuoteCustomer = z.output<typeof QuoteCustomer>;

/** `POST /admin/quotes/{id}/send`. */
export const SendQuoteInput = z.strictObject({
  via: z.enum(["email", "whatsapp", "link"]).meta({
    description: "`email` mails the link; otherwise you pass it on yourself",
  }),
});
export type SendQuoteInput = z.output<typeof SendQuoteInput>;

/** `POST /admin/quotes/{id}/accept`. */
export const AcceptQuoteInput = z.strictObject({
  by: AcceptedBy.exclude(["link"]),
  note: MultilineText(5_000).optional().meta({ description: "Visible to staff only" }),
});
export type AcceptQuoteInput = z.output<typeof AcceptQuoteInput>;

const staffInput = {
  ...quoteTermsInput,
  lead_id: Id("lead").nullable().optional(),
  shipping_note: MultilineText(1_000).nullable().optional(),
  valid_until: Timestamp.optional().meta({
    description:
      "Default when the quote is sent: the stored time if it is in the future, otherwise two weeks later",
  }),
};

/** `POST /admin/quotes`. */
export const StaffQuoteInput = z.strictObject({
  customer: QuoteCustomer,
  items: z.array(QuoteItemEdit).min(1).max(quoteLimits.items),
  message: enquiryInput.message.meta({ description: "What the customer asked for" }),
  postal_code: enquiryInput.postal_code,
  assignee: enquiryPatch.assignee,
  follow_up_at: enquiryPatch.follow_up_at,
  notes: enquiryPatch.notes,
  ...staffInput,
  channel: SalesChannel,
  sold_by: staffInput.sold_by.meta({ description: "Default: the caller" }),
});
export type StaffQuoteInput = z.output<typeof StaffQuoteInput>;

export const QuotePatch = z.strictObject({
  status: QuoteStatus.optional().meta({
    description: "`sent` raises the revision and mails a new link",
  }),
  ...enquiryPatch,
  reason: enquiryPatch.reason.meta({ description: "Why the quote is declined" }),
  customer: QuoteCustomer.optional(),
  ...staffInput,
  items: z
    .array(QuoteItemEdit)
    .min(1)
    .max(quoteLimits.items)
    .optional()
    .meta({ description: "All lines of the quote; a line that is left out is removed" }),
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
    customer_id: null,
    lead_id: null,
    ...openTerms,
    free_shipping: false,
    shipping_note: null,
    valid_until: null,
    letter_withheld,
    ...unsent(at),
  };
}

const unsent = (at: Timestamp) => ({
  revision: 0,
  link_hash: null,
  sent_at: null,
  accepted_at: null,
  accepted_by: null,
  declined_reason: null,
  order_id: null,
  erased_at: null,
  version: 1,
  created_at: at,
  updated_at: at,
});

/** Whom a quote is for, as the quote keeps it. */
export type QuotedPerson = Pick<StoredQuote, "customer_id" | "name" | "email" | "phone">;

/** A quote that staff begin. It is in review. */
export function newStaffQuote(
  input: Omit<StaffQuoteInput, "customer" | "items" | "notes">,
  made: {
    id: string;
    reference: EnquiryReference;
    currency: string;
    person: QuotedPerson;
    items: QuoteItem[];
    /** The staff user who begins it. */
    by: string;
    now: Date;
  },
): StoredQuote {
  const { id, reference, currency, person, items, by, now } = made;
  return {
    id,
    reference,
    status: "in_review",
    ...person,
    message: input.message,
    postal_code: input.postal_code,
    source: null,
    currency,
    items,
    upload_ids: [],
    consented_at: null,
    assignee_id: input.assignee ?? null,
    follow_up_at: input.follow_up_at ?? null,
    lead_id: input.lead_id ?? null,
    ...changedTerms({ ...openTerms, sold_by: by }, input),
    free_shipping: false,
    shipping_note: input.shipping_note ?? null,
    valid_until: input.valid_until ?? null,
    letter_withheld: false,
    ...unsent(now.toISOString()),
  };
}
