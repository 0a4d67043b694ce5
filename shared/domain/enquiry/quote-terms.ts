import * as z from "zod";
import { Code, type Problem } from "../base/names.ts";
import { Day, MultilineText } from "../base/text.ts";
import { TaxId, taxIdProblem } from "../contact/tax-id.ts";
import { ownSale, saleMembers } from "../base/sales-channel.ts";
import { PostalAddress, PostalAddressInput } from "../contact/postal-address.ts";
import { CouponCode } from "../pricing/coupon.ts";
import { PaymentPlanCode } from "../pricing/payment-plans.ts";
import { ShippingMethodCode } from "../settings/zone-settings.ts";

/** A recipient who is not named is the customer. */
const QuoteAddress = PostalAddress.partial({ name: true, phone: true });

const WishedSlot = z.strictObject({ date: Day, window: Code });

/** What a quote says about its order, as stored. Staff may leave all of it open. */
export const quoteTerms = {
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
export type QuoteTerms = z.output<typeof StoredTerms>;

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
