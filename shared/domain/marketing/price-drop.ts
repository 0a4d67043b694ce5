import * as z from "zod";
import type { Product } from "../catalog/product.ts";
import { Money } from "../base/money.ts";
import { Timestamp } from "../base/text.ts";
import {
  type ProductAlert,
  type ProductPrices,
  type ReferencePrice,
  type ReferencePrices,
  priceOfVariants,
} from "./product-alert.ts";

/** The prices of a product, and since when they have been valid. */
export const PriceWatch = z.object({
  product_id: z.string(),
  /** By the variant's id. */
  prices: z.record(z.string(), Money),
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

type PriceSource = Pick<Product, "id" | "variants" | "version" | "published_at" | "updated_at">;

/** How long a price must be valid before it is announced. Staff correct most typing errors sooner. */
const steadyMs = 60 * 60_000;
/** Maximum number of periods in `brief`. */
const mostBrief = 10;
/** Minimum time between two mails to the same person about a product's price. */
const quietMs = 7 * 86_400_000;

const later = (at: Timestamp, ms: number): Timestamp => new Date(Date.parse(at) + ms).toISOString();

const pricesOf = ({ variants }: Pick<Product, "variants">): Record<string, Money> =>
  Object.fromEntries(variants.map(({ id, price }) => [id, price]));

/**
 * The watch after a read of the product; `before` itself if it is up to date. If versions in between were not read, the
 * prices may have changed and changed back, so they count as new.
 */
export function followedPrices(before: PriceWatch | undefined, product: PriceSource): PriceWatch {
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

/** Whether two price lists are equal, whatever the order of their variants. */
function hasSamePrices(
  one: Readonly<Record<string, Money>>,
  other: Readonly<Record<string, Money>>,
): boolean {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...ids].every((id) => one[id] === other[id]);
}

/** When these prices are old enough to be announced. */
export const steadyAt = ({ since }: Pick<PriceWatch, "since">): Timestamp => later(since, steadyMs);

/**
 * The reference prices of an alert as a check of steady prices leaves them. If the person requested a variant during a
 * `brief` period, its reference price may be a typing error. The lower of it and the current price then replaces it, from
 * the time when the current prices began. So the correction is not announced as a drop, and a later drop is. Mails
 * announce steady prices only, so the time of a mailed price is in no `brief` period.
 *
 * @returns the alert's own `reference_prices` if none changes
 */
export function correctedPrices(
  { variant_ids, reference_prices }: Pick<ProductAlert, "variant_ids" | "reference_prices">,
  product: ProductPrices,
  { brief, since }: Pick<PriceWatch, "brief" | "since">,
): ReferencePrices {
  const isBrief = ({ at }: ReferencePrice) => brief.some(({ from, to }) => from <= at && at < to);
  const corrected = variant_ids.flatMap((id) => {
    const reference = reference_prices[id];
    const price = priceOfVariants(product, [id]);
    if (!reference || price === undefined || !isBrief(reference)) return [];
    return [[id, { price: Math.min(reference.price, price), at: since }] as const];
  });
  return corrected.length === 0
    ? reference_prices
    : { ...reference_prices, ...Object.fromEntries(corrected) };
}

/**
 * The current prices, by the variant's id, of those variants of an alert that have dropped below their own reference price.
 *
 * @param minDropBps the smallest drop to announce, as a share of the reference price
 */
export function droppedPrices(
  { variant_ids, reference_prices }: Pick<ProductAlert, "variant_ids" | "reference_prices">,
  product: ProductPrices,
  minDropBps: number,
): Record<string, Money> {
  const dropped = variant_ids.flatMap((id) => {
    const reference = reference_prices[id]?.price;
    const price = priceOfVariants(product, [id]);
    if (reference === undefined || price === undefined || price >= reference) return [];
    const isEnough = (reference - price) * 10_000 >= reference * minDropBps;
    return isEnough ? [[id, price] as const] : [];
  });
  return Object.fromEntries(dropped);
}

/** From when on the person may be mailed about the product's price. */
export const quietUntil = ({ letter_at }: Pick<ProductAlert, "letter_at">): Timestamp =>
  letter_at === null ? new Date(0).toISOString() : later(letter_at, quietMs);

/** The current price of a variant that a mail announces. */
export interface AnnouncedPrice {
  /** A variant's id or `anyVariant`. */
  readonly variant_id: string;
  readonly price: Money;
}

/**
 * The current prices of the variants that the last mail about an alert announces, the lowest first. Variants that have been
 * raised since are left out.
 */
export const announcedPrices = (
  { reference_prices, letter_at }: Pick<ProductAlert, "reference_prices" | "letter_at">,
  product: ProductPrices,
): AnnouncedPrice[] =>
  Object.entries(reference_prices)
    .flatMap(([variant_id, { price: mailed, at }]) => {
      const price = priceOfVariants(product, [variant_id]);
      return at === letter_at && price !== undefined && price <= mailed
        ? [{ variant_id, price }]
        : [];
    })
    .toSorted((one, other) => one.price - other.price);
