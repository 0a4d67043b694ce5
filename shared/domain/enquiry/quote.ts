import * as z from "zod";
import { Code, type Problem } from "../base/names.ts";
import { Day, MultilineText, NullableTimestamp } from "../base/text.ts";
import { TaxId, taxIdProblem } from "../contact/tax-id.ts";
import { ownSale, saleMembers } from "../base/sales-channel.ts";
import { PostalAddress, PostalAddressInput } from "../contact/postal-address.ts";
import { CouponCode } from "../pricing/coupon.ts";
import { PaymentPlanCode } from "../pricing/payment-plans.ts";
import { ShippingMethodCode } from "../settings/zone-settings.ts";
import type { Machine } from "../order/status/order-states.ts";
import { storedEnquiry } from "./enquiry.ts";
import { Id } from "../base/ids.ts";
import { Currency } from "../base/money.ts";
import { QuoteItem } from "./quote-item.ts";

/** A recipient who is not named is the customer. */
const QuoteAddress = PostalAddress.partial({ name: true, phone: true });

const WishedSlot = z.strictObject({ date: Day, window: Code });

/** What a quote says about its order, as stored. Staff may leave all of it open. */
const quoteTerms = {
  shipping_address: QuoteAddress.nullable(),
  billing_address: QuoteAddress.nullable(),
  shipping_method: ShippingMethodCode.nullable(),
  slot: WishedSlot.nullable().meta({
    description: "The wished delivery time. It is booked when the order is placed",
  }),
  payment_plan: PaymentPlanCode,
  coupon: z.string().nullable().default(null).meta({
    description: "Becomes discounts of the lines when the quote is sent, or placed unsent",
  }),
  tax_id: z.string().nullable(),
  note: z.string().nullable(),
  ...saleMembers,
};

const StoredTerms = z.object(quoteTerms);
type QuoteTerms = z.output<typeof StoredTerms>;

/** The terms as staff write them; null clears a term. */
export const quoteTermsInput = {
  shipping_address: PostalAddressInput.nullable().optional(),
  billing_address: PostalAddressInput.nullable()
    .optional()
    .meta({ description: "Default: the shipping address" }),
  shipping_method: quoteTerms.shipping_method.optional(),
  slot: quoteTerms.slot.optional(),
  payment_plan: PaymentPlanCode.optional(),
  coupon: CouponCode.nullable().optional(),
  tax_id: TaxId.nullable().optional(),
  note: MultilineText(1000)
    .nullable()
    .optional()
    .meta({ description: "The customer's note, which the order keeps" }),
  channel: quoteTerms.channel.optional(),
  location: quoteTerms.location.optional(),
  sold_by: quoteTerms.sold_by.optional(),
};

/** The terms of a visitor's request. */
export const openTerms: QuoteTerms = {
  shipping_address: null,
  billing_address: null,
  shipping_method: null,
  slot: null,
  payment_plan: "full",
  coupon: null,
  tax_id: null,
  note: null,
  ...ownSale,
};

/** The terms after an edit: members that it leaves out stay. */
export function changedTerms(
  before: QuoteTerms,
  edit: { readonly [Name in keyof QuoteTerms]?: QuoteTerms[Name] | undefined },
): QuoteTerms {
  const sent = Object.entries(edit).filter(
    ([name, value]) => name in quoteTerms && value !== undefined,
  );
  return { ...StoredTerms.parse(before), ...Object.fromEntries(sent) };
}

/** What is wrong with the terms of a quote; empty if nothing is. */
export function termsProblems({
  tax_id,
  billing_address,
  shipping_address,
}: Pick<QuoteTerms, "tax_id" | "billing_address" | "shipping_address">): Problem[] {
  const billing = billing_address ?? shipping_address;
  const message = tax_id !== null && billing ? taxIdProblem(tax_id, billing) : undefined;
  return message === undefined ? [] : [{ path: "tax_id", message }];
}

export const QuoteStatus = z.enum([
  "submitted",
  "in_review",
  "sent",
  "accepted",
  "declined",
  "expired",
  "converted",
]);
export type QuoteStatus = z.output<typeof QuoteStatus>;

/** The transitions of a quote's status. A sent offer can return to review unless it was converted into an order. */
export const quoteMachine: Machine<QuoteStatus> = {
  submitted: ["in_review", "declined"],
  in_review: ["sent", "declined"],
  sent: ["in_review", "accepted", "declined", "expired"],
  accepted: ["in_review", "expired", "converted"],
  declined: ["in_review"],
  expired: ["in_review"],
  converted: [],
};

const staffMoves: ReadonlySet<QuoteStatus> = new Set(["in_review", "sent", "declined"]);

/**
 * Whether staff may set a status. Other statuses follow from the customer's answer, an order or the end of validity.
 */
export const staffMayMoveTo = (status: QuoteStatus): boolean => staffMoves.has(status);

/** The current status of a quote: a sent offer expires at `valid_until`. */
export function quoteStatusAt(
  { status, valid_until }: { status: QuoteStatus; valid_until: string | null },
  now: Date,
): QuoteStatus {
  const offered = status === "sent" || status === "accepted";
  const over = valid_until !== null && Date.parse(valid_until) <= now.getTime();
  return offered && over ? "expired" : status;
}

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
