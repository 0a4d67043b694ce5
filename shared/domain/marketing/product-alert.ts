import * as z from "zod";
import type { Product, Variant } from "../catalog/product.ts";
import { Id } from "../base/ids.ts";
import { Money } from "../base/money.ts";
import { Sku } from "../base/names.ts";
import { Email, NullableTimestamp, Timestamp } from "../base/text.ts";
import { isMailedWithinDay } from "./subscription.ts";

export const AlertKind = z.enum(["back_in_stock", "price_drop"]);
export type AlertKind = z.output<typeof AlertKind>;

/** Stands for every variant of the product. */
export const anyVariant = "*";

const AlertVariant = z.union([Id("var"), z.literal(anyVariant)]);
const AlertVariants = z.array(AlertVariant);

/** A price that the person saw, with which later prices are compared, and when it was stored. */
export const ReferencePrice = z.object({ price: Money, at: Timestamp });
export type ReferencePrice = z.output<typeof ReferencePrice>;

/** Reference prices by the variant's id; the price of `anyVariant` is the product's lowest price. */
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
  /** The confirmed variants; empty unless the alert is waiting. */
  variant_ids: AlertVariants,
  /** The requested variants that are not confirmed yet. */
  requested_variant_ids: AlertVariants,
  /** The token of the link that ends the alert. All that it allows is ending it, so it is stored in clear text. */
  token: z.string(),
  /**
   * For `price_drop`: the price that the person last saw of each variant in `variant_ids` and `requested_variant_ids`, at the request or
   * in a mail.
   */
  reference_prices: z.record(AlertVariant, ReferencePrice),
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

export interface AlertRequest {
  readonly email: string;
  readonly product_id: string;
  readonly kind: AlertKind;
  /** A variant's id or `anyVariant`. */
  readonly variant_id: string;
  /** The price that the person sees. */
  readonly price: Money;
  readonly at: Timestamp;
  /** Whether a signed-in customer whose verified email is this address made the request. */
  readonly isProven: boolean;
}

/** Whether the person asked about a variant. */
export const isMeant = ({ variant_ids }: Pick<ProductAlert, "variant_ids">, id: string): boolean =>
  variant_ids.includes(id) || variant_ids.includes(anyVariant);

/** The variants of a product, with their prices. */
export interface ProductPrices {
  readonly variants: readonly Pick<Variant, "id" | "price">[];
}

/** The lowest price among these variants of a product; undefined if it has none of them. */
export function priceOfVariants(
  { variants }: ProductPrices,
  ids: readonly string[],
): Money | undefined {
  const prices = variants
    .filter(({ id }) => ids.includes(id) || ids.includes(anyVariant))
    .map(({ price }) => price);
  return prices.length > 0 ? Math.min(...prices) : undefined;
}

/** Whether a product is archived or deleted. Its alerts then end. @param product undefined if it is deleted */
export const isDiscontinued = (product: Pick<Product, "status"> | undefined): boolean =>
  product === undefined || product.status === "archived";

const joined = (ids: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...ids, ...more]),
];

/**
 * The alert after a request, and whether a confirmation mail must be sent. A request without proof never changes the
 * confirmed variants, nor their reference prices: its variant waits in `requested_variant_ids`.
 *
 * @param token of a new alert's end link
 */
export function requestedAlert(
  before: ProductAlert | undefined,
  request: AlertRequest,
  token: string,
): { alert: ProductAlert; isLetterDue: boolean } {
  const { email, product_id, kind, variant_id, price, at, isProven } = request;
  const isWaiting = before?.status === "waiting";
  if (isWaiting && !isProven && before.variant_ids.includes(variant_id)) {
    return { alert: before, isLetterDue: false };
  }
  const isLetterDue = !isProven && !isMailedWithinDay(before?.confirmation_at ?? null, at);
  const confirmed = isWaiting ? before.variant_ids : [];
  const variant_ids = isProven ? joined(confirmed, [variant_id]) : confirmed;
  const requested_variant_ids = isProven
    ? []
    : joined(before?.requested_variant_ids ?? [], [variant_id]);
  const known = pricesAmong(before?.reference_prices ?? {}, [
    ...variant_ids,
    ...requested_variant_ids,
  ]);
  const alert: ProductAlert = {
    email,
    product_id,
    kind,
    status: isProven || isWaiting ? "waiting" : "pending",
    variant_ids,
    requested_variant_ids,
    token: before?.token ?? token,
    reference_prices: kind === "price_drop" ? { ...known, [variant_id]: { price, at } } : {},
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

const pricesAmong = (prices: ReferencePrices, ids: readonly string[]): ReferencePrices =>
  Object.fromEntries(Object.entries(prices).filter(([id]) => ids.includes(id)));

/** The alert after the link of a confirmation mail was used; undefined if nothing waits for a confirmation. */
export function confirmedAlert(before: ProductAlert, now: Date): ProductAlert | undefined {
  if (before.requested_variant_ids.length === 0) return undefined;
  const at = now.toISOString();
  return {
    ...changed(before, at),
    status: "waiting",
    variant_ids: joined(before.variant_ids, before.requested_variant_ids),
    requested_variant_ids: [],
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
 * @param prices by the variant's id
 */
export function alertedOfPrices(
  before: ProductAlert,
  prices: Readonly<Record<string, Money>>,
  now: Date,
): ProductAlert {
  const at = now.toISOString();
  const mailed = Object.entries(prices).map(([id, price]) => [id, { price, at }] as const);
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
  variant_ids: [],
  requested_variant_ids: [],
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

/** A wave of `back_in_stock` mails about a product. In its day, it sends at most one mail per available unit. */
export const AlertWave = z.object({
  product_id: z.string(),
  started_at: Timestamp,
  /** The number of mails that the wave has sent, by the variant's id. */
  sent: z.record(z.string(), z.int().min(1)),
  version: z.int().min(1),
});
export type AlertWave = z.output<typeof AlertWave>;

const waveMs = 24 * 3_600_000;

/** When the wave after this one may start. */
export const nextWaveAt = ({ started_at }: Pick<AlertWave, "started_at">): Timestamp =>
  new Date(Date.parse(started_at) + waveMs).toISOString();

/**
 * The wave to which mails belong now. It is the stored wave for a day, so that a run after a crash sends only the mails
 * that are left.
 */
export function currentWave(
  before: AlertWave | undefined,
  product_id: string,
  now: Date,
): AlertWave {
  const version = (before?.version ?? 0) + 1;
  return !before || nextWaveAt(before) <= now.toISOString()
    ? { product_id, started_at: now.toISOString(), sent: {}, version }
    : { ...before, version };
}

/**
 * Chooses the alerts to mail about the available units: as many alerts as there are units that the wave has not mailed
 * about, the oldest first.
 *
 * @param waiting oldest first
 * @param units the available units by the variant's id; more of them than before allow further mails on the same day
 */
export function alertsInWave<Alert extends Pick<ProductAlert, "variant_ids">>(
  waiting: readonly Alert[],
  units: Readonly<Record<string, number>>,
  before: AlertWave["sent"],
): { chosen: Alert[]; sent: AlertWave["sent"] } {
  const sent = new Map(Object.entries(before));
  const left = (id: string) => (units[id] ?? 0) - (sent.get(id) ?? 0);
  const chosen = waiting.filter(({ variant_ids }) => {
    const [best] = Object.keys(units)
      .filter((id) => left(id) > 0 && isMeant({ variant_ids }, id))
      .toSorted((one, other) => left(other) - left(one));
    if (best === undefined) return false;
    sent.set(best, (sent.get(best) ?? 0) + 1);
    return true;
  });
  return { chosen, sent: Object.fromEntries(sent) };
}
