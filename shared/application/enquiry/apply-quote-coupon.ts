import { edited } from "#shared/application/edit.ts";
import { type QuoteCoupon, withCoupon } from "#shared/domain/enquiry/quote-coupon.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { refused } from "#shared/domain/pricing/coupon.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { Buyers, buyerKeys } from "#shared/storage/order/buyers.ts";
import { CouponUses, Coupons } from "#shared/storage/pricing/coupons.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { catalogFactsOf } from "./quote-lines.ts";

/**
 * Requires that a coupon exists. Whether it is valid for the quote is decided when the quote is sent or placed.
 *
 * @throws AppError `validation_failed`
 */
export async function requireCoupon(
  table: Pick<Table, "get">,
  code: string | null | undefined,
): Promise<void> {
  if (code === undefined || code === null) return;
  const coupon = await table.get(Coupons, { code });
  if (!coupon?.active) throw invalidField("coupon", refused("not_found").message);
}

/**
 * The quote with what its coupon takes off each line, by the coupon and the catalog as they are now.
 *
 * @throws AppError `validation_failed` at `coupon`
 */
export async function withCouponNow<Quote extends StoredQuote>(
  table: Table,
  quote: Quote,
  { store, now }: { readonly store: StoreSettings; readonly now: Date },
): Promise<Quote> {
  const known = await readQuoteCoupon(table, quote, { store, now });
  return edited(withCoupon(quote, known, { store, now }));
}

async function readQuoteCoupon(
  table: Table,
  { coupon: code, customer_id: id, email, phone, items, currency }: StoredQuote,
  { store, now }: { readonly store: StoreSettings; readonly now: Date },
): Promise<QuoteCoupon | null> {
  if (code === null) return null;
  const keys = buyerKeys({ id, email, phone }, store.country);
  const { coupons, uses, ownUses, buyers } = await table.getMany({
    coupons: [at(Coupons, { code })],
    uses: [at(CouponUses, { code, by: "all" })],
    ownUses: keys.map((by) => at(CouponUses, { code, by })),
    buyers: keys.map((buyer) => at(Buyers, { buyer })),
  });
  const coupon = coupons[0] ?? null;
  const needsCategories = coupon !== null && coupon.applies_to.categories.length > 0;
  const facts = needsCategories ? await catalogFactsOf(table, items, { now, currency }) : new Map();
  return {
    coupon,
    uses: uses[0]?.uses ?? 0,
    buyer: {
      signed_in: id !== null,
      orders: Math.max(0, ...buyers.map((row) => row?.orders ?? 0)),
      uses: Math.max(0, ...ownUses.map((row) => row?.uses ?? 0)),
    },
    categories: new Map([...facts].map(([line, { categories }]) => [line, categories])),
  };
}
