import {
  type CouponCase,
  type CouponReason,
  type CouponVerdict,
  judgeCoupon,
} from "../pricing/coupon.ts";
import type { StoreSettings } from "../settings/store-settings.ts";
import { type Edited, refusedFields } from "./enquiry.ts";
import { itemDiscount } from "./quote-item.ts";
import type { StoredQuote } from "./quote.ts";

/** The facts that decide whether the coupon of a quote is valid. */
export interface QuoteCoupon extends CouponCase {
  /** Slugs of the categories of the quote's lines and of their ancestors, by the ids of the lines. */
  readonly categories: ReadonlyMap<string, readonly string[]>;
}

/** The members of a quote that its coupon sets. */
type Promised = Pick<StoredQuote, "items" | "free_shipping">;

/** The quote without what its coupon took off when it was sent. */
export const withoutCoupon = <Quote extends Promised>(quote: Quote): Quote => ({
  ...quote,
  items: quote.items.map((item) => ({ ...item, coupon_discount: 0 })),
  free_shipping: false,
});

/**
 * The quote with what its coupon takes off each line, after the discounts of staff. It stays so, whatever becomes of
 * the coupon.
 *
 * @param known null if the quote has no coupon
 */
export function withCoupon<Quote extends StoredQuote>(
  quote: Quote,
  known: QuoteCoupon | null,
  {
    store,
    now,
  }: { readonly store: Pick<StoreSettings, "currency" | "locale">; readonly now: Date },
): Edited<Quote> {
  if (known === null) return { ok: true, record: withoutCoupon(quote) };
  const lines = quote.items.map((item) => ({
    subtotal: (item.unit_price ?? 0) * item.quantity - itemDiscount(item),
    product_id: item.product_id,
    sofa_id: item.sofa_id,
    categories: known.categories.get(item.id) ?? [],
    quoted: false,
  }));
  const verdict = judgeCoupon(known, lines, now, store);
  if (!verdict.valid) return refusedFields({ path: "coupon", message: messageOf(verdict) });
  return {
    ok: true,
    record: {
      ...quote,
      items: quote.items.map((item, index) => ({
        ...item,
        coupon_discount: verdict.shares[index]!,
      })),
      free_shipping: verdict.freeShipping,
    },
  };
}

/** Refusals as staff read them, where those for buyers speak of the buyer and the cart. */
const forStaff: Partial<Record<CouponReason, string>> = {
  not_applicable: "This coupon does not apply to any line of the quote.",
  login_required: "This coupon is for customers with an account. Name the account in `customer`.",
  per_customer_limit: "The customer has already used this coupon the maximum number of times.",
};

const messageOf = ({ reason, message }: Extract<CouponVerdict, { valid: false }>): string =>
  forStaff[reason] ?? message;
