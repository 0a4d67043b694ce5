import * as z from "zod";
import type { Product } from "../catalog/product.ts";
import { Money } from "../base/money.ts";
import { Sku } from "../base/names.ts";
import { Timestamp } from "../base/text.ts";
import type { ProductAlert } from "./product-alert.ts";

/** The prices of a product, and since when they have been valid. */
export const PriceWatch = z.object({
  product_id: z.string(),
  prices: z.record(Sku, Money),
  since: Timestamp,
  /**
   * Whether these are the prices of the first publication. They are then not a price change, which could be mistyped.
   */
  is_first: z.boolean(),
  /**
   * The latest periods in which other prices were valid for less than an hour. Most of these prices were typing errors.
   */
  brief: z.array(z.object({ from: Timestamp, to: Timestamp })),
  /** The version of the product that was read last. */
  product_version: z.int().min(1),
  version: z.int().min(1),
});
export type PriceWatch = z.output<typeof PriceWatch>;

type Watched = Pick<Product, "id" | "variants" | "version" | "published_at" | "updated_at">;

/** How long a price must be valid before it is announced. Staff correct most typing errors sooner. */
const steadyMs = 60 * 60_000;
/** Maximum number of periods in `brief`. */
const mostBrief = 10;
/** Minimum time between two mails to the same person about a product's price. */
const quietMs = 7 * 86_400_000;

const later = (at: Timestamp, ms: number): Timestamp => new Date(Date.parse(at) + ms).toISOString();

const pricesOf = ({ variants }: Pick<Product, "variants">): Record<string, Money> =>
  Object.fromEntries(variants.map(({ sku, price }) => [sku, price]));

/**
 * The watch after a read of the product; `before` itself if it is up to date. If versions in between were not read, the
 * prices may have changed and changed back, so they count as new.
 */
export function followedPrices(before: PriceWatch | undefined, product: Watched): PriceWatch {
  if (before && before.product_version >= product.version) return before;
  const prices = pricesOf(product);
  const isSame =
    before !== undefined &&
    product.version === before.product_version + 1 &&
    hasSamePrices(before.prices, prices);
  return {
    product_id: product.id,
    prices,
    since: isSame ? before.since : product.updated_at,
    is_first: before
      ? before.is_first && hasSamePrices(before.prices, prices)
      : product.published_at === product.updated_at,
    brief: isSame ? before.brief : briefUntil(before, product.updated_at),
    product_version: product.version,
    version: (before?.version ?? 0) + 1,
  };
}

/** The `brief` periods. The period of the watched prices is added if it lasted less than an hour until `to`. */
function briefUntil(watch: PriceWatch | undefined, to: Timestamp): PriceWatch["brief"] {
  if (!watch) return [];
  const { since: from, brief, is_first } = watch;
  return !is_first && steadyAt(watch) > to ? [...brief, { from, to }].slice(-mostBrief) : brief;
}

/** Whether two price lists are equal, whatever the order of their SKUs. */
function hasSamePrices(
  one: Readonly<Record<string, Money>>,
  other: Readonly<Record<string, Money>>,
): boolean {
  const skus = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...skus].every((sku) => one[sku] === other[sku]);
}

/** When these prices are old enough to be announced. */
export const steadyAt = ({ since }: Pick<PriceWatch, "since">): Timestamp => later(since, steadyMs);

/**
 * The `told_price` with which to compare the current price. If the person requested the alert during a `brief` period,
 * `told_price` may be a typing error. A lower current price then replaces it, so that the correction is not announced
 * as a drop. A mailed price is never brief.
 */
export function correctedPrice(
  { told_price, told_at, letter_at }: Pick<ProductAlert, "told_price" | "told_at" | "letter_at">,
  price: Money,
  { brief }: Pick<PriceWatch, "brief">,
): Money | null {
  if (told_price === null || told_at === null || told_at === letter_at) return told_price;
  const isBrief = brief.some(({ from, to }) => from <= told_at && told_at < to);
  return isBrief ? Math.min(told_price, price) : told_price;
}

/**
 * When a mail may announce this price to the person: now if the time has passed; null if the price is not low enough.
 *
 * @param minDropBps the smallest drop to announce, as a share of `told_price`
 */
export function mayBeToldAt(
  { told_price, letter_at }: Pick<ProductAlert, "told_price" | "letter_at">,
  price: Money,
  minDropBps: number,
): Timestamp | null {
  if (told_price === null || price >= told_price) return null;
  if ((told_price - price) * 10_000 < told_price * minDropBps) return null;
  return letter_at === null ? new Date(0).toISOString() : later(letter_at, quietMs);
}
