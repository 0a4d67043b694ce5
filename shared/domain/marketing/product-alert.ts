import * as z from "zod";
import type { Variant } from "../catalog/product.ts";
import { Id } from "../base/ids.ts";
import { Money } from "../base/money.ts";
import { Sku } from "../base/names.ts";
import { Email, Timestamp } from "../base/text.ts";
import { isMailedToday } from "./subscription.ts";

export const AlertKind = z.enum(["back_in_stock", "price_drop"]);
export type AlertKind = z.output<typeof AlertKind>;

/** Stands for every SKU of the product. */
export const anySku = "*";

const Skus = z.array(z.union([Sku, z.literal(anySku)]));

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
  skus: Skus,
  /** The requested SKUs that are not confirmed yet. */
  requested_skus: Skus,
  /** The token of the link that ends the alert. All that it allows is ending it, so it is stored in clear text. */
  token: z.string(),
  /** For `price_drop`: the price that the person saw last, at the request or in a mail, and when. */
  told_price: Money.nullable(),
  told_at: Timestamp.nullable(),
  requested_at: Timestamp,
  /** When the last confirmation mail was sent. */
  confirmation_at: Timestamp.nullable(),
  confirmed_at: Timestamp.nullable(),
  /** When the outbox event of the last mail about the product was published. */
  letter_at: Timestamp.nullable(),
  /** When the person ended the alert. */
  stopped_at: Timestamp.nullable(),
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

interface Priced {
  readonly variants: readonly Pick<Variant, "sku" | "price">[];
}

/** The lowest price among these SKUs of a product; undefined if it has none of them. */
export function priceOfSkus({ variants }: Priced, skus: readonly string[]): Money | undefined {
  const prices = variants
    .filter(({ sku }) => skus.includes(sku) || skus.includes(anySku))
    .map(({ price }) => price);
  return prices.length > 0 ? Math.min(...prices) : undefined;
}

const joined = (skus: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...skus, ...more]),
];

/**
 * The alert after a request, and whether a confirmation mail must be sent. A request without proof never changes the
 * confirmed SKUs: its SKU waits in `requested_skus`.
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
  const isLetterDue = !isProven && !isMailedToday(before?.confirmation_at ?? null, at);
  const skus = isWaiting ? before.skus : [];
  const isTold = kind === "price_drop" && (isProven || !isWaiting);
  const alert: ProductAlert = {
    email,
    product_id,
    kind,
    status: isProven || isWaiting ? "waiting" : "pending",
    skus: isProven ? joined(skus, [sku]) : skus,
    requested_skus: isProven ? [] : joined(before?.requested_skus ?? [], [sku]),
    token: before?.token ?? token,
    told_price: isTold ? price : (before?.told_price ?? null),
    told_at: isTold ? at : (before?.told_at ?? null),
    requested_at: at,
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

/** The alert after the address was confirmed; undefined if nothing waits for a confirmation. */
export function confirmedAlert(before: ProductAlert, now: Date): ProductAlert | undefined {
  if (before.requested_skus.length === 0) return undefined;
  const at = now.toISOString();
  return {
    ...changed(before, at),
    status: "waiting",
    skus: joined(before.skus, before.requested_skus),
    requested_skus: [],
    confirmed_at: before.confirmed_at ?? at,
  };
}

/** The alert after the person ended it. */
export function stoppedAlert(before: ProductAlert, now: Date): ProductAlert {
  const at = now.toISOString();
  return { ...ended(before, at), stopped_at: at };
}

/** A `back_in_stock` alert after its mail. It has then ended. */
export function alertedOfStock(before: ProductAlert, now: Date): ProductAlert {
  const at = now.toISOString();
  return { ...ended(before, at), letter_at: at };
}

/** A `price_drop` alert after a mail with this price. */
export function alertedOfPrice(before: ProductAlert, price: Money, now: Date): ProductAlert {
  const at = now.toISOString();
  return { ...changed(before, at), told_price: price, told_at: at, letter_at: at };
}

/** A `price_drop` alert whose `told_price` changes although no mail is sent. */
export function retoldAlert(
  before: ProductAlert,
  told_price: Money | null,
  now: Date,
): ProductAlert {
  const at = now.toISOString();
  return { ...changed(before, at), told_price, told_at: at };
}

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
