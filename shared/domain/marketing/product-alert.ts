import * as z from "zod";
import type { Product, Variant } from "../catalog/product.ts";
import { Id } from "../base/ids.ts";
import { Money } from "../base/money.ts";
import { Sku } from "../base/names.ts";
import { Email, NullableTimestamp, Timestamp } from "../base/text.ts";
import { isMailedWithinDay } from "./subscription.ts";

export const AlertKind = z.enum(["back_in_stock", "price_drop"]);
export type AlertKind = z.output<typeof AlertKind>;

/** Stands for every SKU of the product. */
export const anySku = "*";

const AlertSku = z.union([Sku, z.literal(anySku)]);
const AlertSkus = z.array(AlertSku);

/** A price that the person saw, with which later prices are compared, and when it was stored. */
export const ReferencePrice = z.object({ price: Money, at: Timestamp });
export type ReferencePrice = z.output<typeof ReferencePrice>;

/** Reference prices by SKU; the price of `anySku` is the product's lowest price. */
export type ReferencePrices = Readonly<Record<string, ReferencePrice>>;

/**
 * A request to be mailed when a product is back in stock or its price drops. Each address has one alert of each kind
 * per product.
 */
export const ProductAlert = z.object({
  email: Email,
  product_id: Id("prd"),
  kind: AlertKind,
  /**
   * `pending` until the address is confirmed; `ended` after the mail of `back_in_stock`, or after the person used the
   * end link.
   */
  status: z.enum(["pending", "waiting", "ended"]),
  /** The confirmed SKUs; empty unless the alert is waiting. */
  skus: AlertSkus,
  /** The requested SKUs that are not confirmed yet. */
  requested_skus: AlertSkus,
  /** The token of the link that ends the alert. All that it allows is ending it, so it is stored in clear text. */
  token: z.string(),
  /**
   * For `price_drop`: the price that the person last saw of each SKU in `skus` and `requested_skus`, at the request or
   * in a mail.
   */
  reference_prices: z.record(AlertSku, ReferencePrice),
  /** When the alert was last requested. While it is waiting, requests without proof do not count. */
  requested_at: Timestamp,
  /** When the last confirmation mail was sent; null after its link was used. */
  confirmation_at: NullableTimestamp,
  confirmed_at: NullableTimestamp,
  /** When the outbox event of the last mail about the product was published. */
  letter_at: NullableTimestamp,
  /** When the person ended the alert. */
  stopped_at: NullableTimestamp,
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type ProductAlert = z.output<typeof ProductAlert>;

export const AlertInput = z.strictObject({
  email: Email,
  sku: Sku.nullable()
    .default(null)
    .meta({ description: "A variant's SKU; null: any variant of the product" }),
  kind: AlertKind,
});

/** A request for an alert. */
export interface AlertRequest {
  readonly email: string;
  readonly product_id: string;
  readonly kind: AlertKind;
  readonly sku: string;
  /** The price that the person sees. */
  readonly price: Money;
  readonly at: Timestamp;
  /** Whether a signed-in customer whose verified email is this address made the request. */
  readonly isProven: boolean;
}

/** Whether the person asked about a SKU. */
export const isMeant = ({ skus }: Pick<ProductAlert, "skus">, sku: string): boolean =>
  skus.includes(sku) || skus.includes(anySku);

/** The variants of a product, with their prices. */
export interface ProductPrices {
  readonly variants: readonly Pick<Variant, "sku" | "price">[];
}

/** The lowest price among these SKUs of a product; undefined if it has none of them. */
export function priceOfSkus(
  { variants }: ProductPrices,
  skus: readonly string[],
): Money | undefined {
  const prices = variants
    .filter(({ sku }) => skus.includes(sku) || skus.includes(anySku))
    .map(({ price }) => price);
  return prices.length > 0 ? Math.min(...prices) : undefined;
}

/** Whether a product is archived or deleted. Its alerts then end. @param product undefined if it is deleted */
export const isDiscontinued = (product: Pick<Product, "status"> | undefined): boolean =>
  product === undefined || product.status === "archived";

const joined = (skus: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...skus, ...more]),
];

/**
 * The alert after a request, and whether a confirmation mail must be sent. A request without proof never changes the
 * confirmed SKUs, nor their reference prices: its SKU waits in `requested_skus`.
 *
 * @param token of a new alert's end link
 */
export function requestedAlert(
  before: ProductAlert | undefined,
  request: AlertRequest,
  token: string,
): { alert: ProductAlert; isLetterDue: boolean } {
  const { email, product_id, kind, sku, price, at, isProven } = request;
  const isWaiting = before?.status === "waiting";
  if (isWaiting && !isProven && before.skus.includes(sku)) {
    return { alert: before, isLetterDue: false };
  }
  const isLetterDue = !isProven && !isMailedWithinDay(before?.confirmation_at ?? null, at);
  const confirmed = isWaiting ? before.skus : [];
  const skus = isProven ? joined(confirmed, [sku]) : confirmed;
  const requested_skus = isProven ? [] : joined(before?.requested_skus ?? [], [sku]);
  const known = pricesAmong(before?.reference_prices ?? {}, [...skus, ...requested_skus]);
  const alert: ProductAlert = {
    email,
    product_id,
    kind,
    status: isProven || isWaiting ? "waiting" : "pending",
    skus,
    requested_skus,
    token: before?.token ?? token,
    reference_prices: kind === "price_drop" ? { ...known, [sku]: { price, at } } : {},
    requested_at: isWaiting && !isProven ? before.requested_at : at,
    confirmation_at: isLetterDue ? at : (before?.confirmation_at ?? null),
    confirmed_at: isWaiting ? before.confirmed_at : isProven ? at : null,
    letter_at: before?.letter_at ?? null,
    stopped_at: null,
    version: (before?.version ?? 0) + 1,
    created_at: before?.created_at ?? at,
    updated_at: at,
  };
  return { alert, isLetterDue };
}

const pricesAmong = (prices: ReferencePrices, skus: readonly string[]): ReferencePrices =>
  Object.fromEntries(Object.entries(prices).filter(([sku]) => skus.includes(sku)));

/** The alert after the link of a confirmation mail was used; undefined if nothing waits for a confirmation. */
export function confirmedAlert(before: ProductAlert, now: Date): ProductAlert | undefined {
  if (before.requested_skus.length === 0) return undefined;
  const at = now.toISOString();
  return {
    ...changed(before, at),
    status: "waiting",
    skus: joined(before.skus, before.requested_skus),
    requested_skus: [],
    confirmation_at: null,
    confirmed_at: before.confirmed_at ?? at,
  };
}

/** The alert after the person ended it. */
export function stoppedAlert(before: ProductAlert, now: Date): ProductAlert {
  return { ...endedAlert(before, now), stopped_at: now.toISOString() };
}

/** The alert after its product was archived or deleted. */
export const endedAlert = (before: ProductAlert, now: Date): ProductAlert =>
  ended(before, now.toISOString());

/** A `back_in_stock` alert after its mail. It has then ended. */
export function alertedOfStock(before: ProductAlert, now: Date): ProductAlert {
  const at = now.toISOString();
  return { ...ended(before, at), letter_at: at };
}

/**
 * A `price_drop` alert after a mail with these prices.
 *
 * @param prices by SKU
 */
export function alertedOfPrices(
  before: ProductAlert,
  prices: Readonly<Record<string, Money>>,
  now: Date,
): ProductAlert {
  const at = now.toISOString();
  const mailed = Object.entries(prices).map(([sku, price]) => [sku, { price, at }] as const);
  const reference_prices = { ...before.reference_prices, ...Object.fromEntries(mailed) };
  return { ...changed(before, at), reference_prices, letter_at: at };
}

/** A `price_drop` alert whose reference prices change although no mail is sent. */
export const withReferencePrices = (
  before: ProductAlert,
  reference_prices: ReferencePrices,
  now: Date,
): ProductAlert => ({ ...changed(before, now.toISOString()), reference_prices });

const changed = (before: ProductAlert, at: Timestamp): ProductAlert => ({
  ...before,
  version: before.version + 1,
  updated_at: at,
});

const ended = (before: ProductAlert, at: Timestamp): ProductAlert => ({
  ...changed(before, at),
  status: "ended",
  skus: [],
  requested_skus: [],
  reference_prices: {},
  confirmed_at: null,
});

const dayMs = 86_400_000;

/** Until when an unconfirmed or ended alert is stored; undefined while it is waiting. */
export function alertExpiry({
  status,
  updated_at,
}: Pick<ProductAlert, "status" | "updated_at">): Date | undefined {
  if (status === "waiting") return undefined;
  return new Date(Date.parse(updated_at) + (status === "pending" ? 30 : 90) * dayMs);
}
