import type { Shop } from "#shared/application/shop.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { StoredCart, StoredCartLine } from "#shared/domain/cart/cart.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { type CartOwner, Carts, isExpired } from "#shared/storage/cart/carts.ts";
import type { Table } from "#shared/storage/table.ts";
import { type CatalogFacts, resolveLine } from "#shared/domain/cart/cart-lines.ts";
import { agreedTerms, withOneCoupon } from "#shared/domain/cart/quoted-line.ts";
import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import { readSlot } from "#shared/domain/delivery/slot-hold.ts";
import type { CouponCase } from "#shared/domain/pricing/coupon.ts";
import { type PricingRequest, priceCart } from "#shared/domain/pricing/totals.ts";
import { type BuyerKey, Buyers, buyerKeys } from "#shared/storage/order/buyers.ts";
import { CouponUses, Coupons } from "#shared/storage/pricing/coupons.ts";
import { factReads, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";

/** How a request identifies its cart. */
export interface CartCaller {
  readonly actor: Actor;
  readonly headers: { readonly "x-cart-token"?: string | undefined };
  readonly now: Date;
}

/** The caller's cart as read. */
export interface OpenedCart {
  /** Owner of the cart that the caller claims; null if the caller claims none. */
  readonly claim: CartOwner | null;
  /** The stored cart, even if it has expired or an order was placed from it. */
  readonly record: StoredCart | undefined;
  /** The stored cart, unless it has expired or an order was placed from it. */
  readonly cart: StoredCart | undefined;
  /** Id of the order placed from the cart. */
  readonly convertedTo: string | null;
  readonly settings: Settings;
}

export function ownerOf({ actor, headers }: Omit<CartCaller, "now">): CartOwner | null {
  if (actor.kind === "customer") return { kind: "customer", id: actor.id };
  const token = headers["x-cart-token"];
  return token ? { kind: "guest", tokenHash: hashOf(token) } : null;
}

/** Reads the cart and the settings in one step. */
export async function openCart(
  call: CartCaller,
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
): Promise<OpenedCart> {
  const claim = ownerOf(call);
  const [record, currentSettings] = await Promise.all([
    claim ? table.get(Carts, { owner: claim }) : undefined,
    settings.current(),
  ]);
  return { claim, ...currentCart(record, call.now), settings: currentSettings };
}

/** The stored cart, if it can still be used, and the order that was placed from it. */
export function currentCart(
  record: StoredCart | undefined,
  now: Date,
): Pick<OpenedCart, "record" | "cart" | "convertedTo"> {
  const current = record && !isExpired(record, now) ? record : undefined;
  return {
    record,
    cart: current?.status === "active" ? current : undefined,
    convertedTo: current?.order_id ?? null,
  };
}

/** Everything that determines a cart's price, except the settings. */
export interface CartFacts extends CatalogFacts {
  /** Null if no coupon was requested. */
  readonly coupon: CouponCase | null;
}

/** The facts about the buyer that coupon rules check. */
export interface Buyer {
  readonly signed_in: boolean;
  readonly keys: readonly BuyerKey[];
}

/** Reads everything that the lines' prices and a coupon depend on. */
export async function readFacts(
  getMany: Table["getMany"],
  lines: readonly StoredCartLine[],
  couponCode: string | null,
  buyer: Buyer,
): Promise<CartFacts> {
  const coupons = couponCode === null ? [] : [{ code: couponCode }];
  const buyers = couponCode === null ? [] : buyer.keys;
  const rows = await getMany({
    ...factReads(lines),
    coupon: coupons.map((coupon) => at(Coupons, coupon)),
    uses: coupons.map(({ code }) => at(CouponUses, { code, by: "all" })),
    ownUses: coupons.flatMap(({ code }) => buyers.map((by) => at(CouponUses, { code, by }))),
    buyers: buyers.map((key) => at(Buyers, { buyer: key })),
  });
  return {
    ...(await readCatalogFacts(getMany, lines, rows)),
    coupon:
      couponCode === null
        ? null
        : {
            coupon: rows.coupon[0] ?? null,
            uses: rows.uses[0]?.uses ?? 0,
            buyer: {
              signed_in: buyer.signed_in,
              orders: Math.max(0, ...rows.buyers.map((row) => row?.orders ?? 0)),
              uses: Math.max(0, ...rows.ownUses.map((row) => row?.uses ?? 0)),
            },
          },
  };
}

type PricingChoices = Pick<PricingRequest, "settings" | "destination" | "method" | "now">;

/** Completes stored lines with the current catalog data and prices them. */
export function priceLines(
  stored: readonly StoredCartLine[],
  facts: CartFacts,
  choices: PricingChoices,
): Pick<CartReading, "lines" | "pricing"> {
  const sale = { now: choices.now, currency: choices.settings.store.currency };
  const resolved = stored.map((line) => resolveLine(line, facts, sale));
  const lines = withOneCoupon(stored, resolved, facts.quotes);
  const agreed = agreedTerms(stored, facts.quotes);
  const pricing = priceCart({
    ...choices,
    lines: lines.map(({ line }) => line),
    coupon: facts.coupon,
    free_shipping: agreed.free_shipping,
    has_quote_coupon: agreed.coupon !== null,
  });
  return { lines, pricing };
}

/**
 * Completes a stored cart with the current catalog data and prices it. Without a stored cart, the result is an empty
 * cart.
 */
export function readCart(
  cart: StoredCart | undefined,
  facts: CartFacts,
  choices: PricingChoices,
): CartReading {
  const priced = priceLines(cart?.lines ?? [], facts, choices);
  return {
    cart: cart ?? null,
    currency: cart?.currency ?? choices.settings.store.currency,
    stock: facts.stock,
    ...priced,
    slot: readSlot({
      ...choices,
      hold: cart?.slot_hold ?? null,
      lines: priced.lines.map(({ line }) => line),
    }),
  };
}

/**
 * The buyer as coupon rules see it: the customer, email and phone.
 *
 * @param contact the email and phone, which are known only at checkout, and the store's country, which is assumed for
 *   phone numbers without a country code
 */
export function buyerOf(
  actor: Actor,
  contact?: { email: string; phone: string; country: string },
): Buyer {
  const id = actor.kind === "customer" ? actor.id : null;
  if (contact)
    return { signed_in: id !== null, keys: buyerKeys({ id, ...contact }, contact.country) };
  return { signed_in: id !== null, keys: id === null ? [] : [`customer#${id}`] };
}

/**
 * Counts a request with a coupon code against the limit on guessing codes. The caller awaits the promise after it has
 * checked the code. If the promise rejects before that, the rejection is not reported as unhandled.
 *
 * @returns null when no code was sent
 */
export function countGuess(
  { ip, now }: { readonly ip: string; readonly now: Date },
  code: string | null | undefined,
  { rates }: { readonly rates: RateCounters },
): Promise<unknown> | null {
  if (code === null || code === undefined) return null;
  const admission = admit(rates, "coupon", callerOf(ip), now);
  admission.catch(() => undefined);
  return admission;
}
