import type { Shop } from "#shared/application/shop.ts";
import type { Table } from "#shared/storage/table.ts";
import { isDeepStrictEqual } from "node:util";
import { hashOf, newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import {
  type StoredCart,
  type StoredCartLine,
  cartExpiry,
  combineLines,
  fitsStorage,
  newCart,
} from "#shared/domain/cart/cart.ts";
import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { acceptedQuote, declinedQuote } from "#shared/domain/enquiry/quote-edit.ts";
import { quotedLine } from "#shared/domain/enquiry/quote-item.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { edited } from "#shared/application/edit.ts";
import { invalidField, AppError } from "#shared/domain/request/app-error.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { readCart, readFacts } from "#shared/application/cart/read-cart.ts";
import {
  type CartOwner,
  Carts,
  isExpired,
  putCart,
  removeCart,
} from "#shared/storage/cart/carts.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { type QuoteCart, QuoteCarts, putQuoteCart } from "#shared/storage/enquiry/quote-carts.ts";
import { currentQuote } from "#shared/storage/enquiry/ordered-quotes.ts";
import { Quotes, replaceQuote } from "#shared/storage/enquiry/quotes.ts";
import { at } from "#shared/storage/reads.ts";
import { renewPictures } from "#shared/storage/enquiry/upload-holds.ts";
import type { Write } from "#shared/storage/writes.ts";
import * as z from "zod";

export interface AcceptCall {
  readonly params: { readonly id: string };
  readonly body: { readonly token: string };
  readonly actor: Actor;
  readonly now: Date;
}

export interface OpenedQuote {
  readonly quote: StoredQuote | undefined;
  /**
   * The cart that received the quote's lines when a guest accepted the quote, and the link that the guest used.
   * Undefined if no guest has accepted it, or if the caller is a customer.
   */
  readonly linked: QuoteCart | undefined;
  /** The stored cart of this link or of the customer; undefined if there is none. */
  readonly record: StoredCart | undefined;
}

/** Reads the quote and the cart that receives its lines. */
export async function openQuote(
  { actor, params, body }: AcceptCall,
  { table }: Shop<"table">,
): Promise<OpenedQuote> {
  const isCustomer = actor.kind === "customer";
  const { quotes, links, own } = await table.getMany({
    quotes: [at(Quotes, params)],
    links: isCustomer ? [] : [at(QuoteCarts, params)],
    own: isCustomer ? [at(Carts, { owner: { kind: "customer", id: actor.id } })] : [],
  });
  const linked = links[0];
  const record =
    linked?.link_hash === hashOf(body.token)
      ? await table.get(Carts, { owner: guestOf(linked.cart_hash) })
      : own[0];
  return { quote: quotes[0], linked, record };
}

const guestOf = (tokenHash: string): CartOwner => ({ kind: "guest", tokenHash });

/**
 * Accepts a quote and puts its lines into the caller's cart. Safe to repeat.
 *
 * @throws AppError `not_found`, `invalid_transition`, and `validation_failed` if the lines exceed the cart's limits
 */
export async function acceptIntoCart(
  call: AcceptCall,
  first: OpenedQuote,
  shop: Shop<"table" | "randomBytes" | "settings", CommerceGroup>,
): Promise<{ reading: CartReading; cartToken: string | null }> {
  const { actor, now } = call;
  const { table } = shop;
  const settings = await shop.settings.current();
  return retryOnConflict(
    first,
    () => openQuote(call, shop),
    async ({ quote, linked, record }) => {
      const before = openedBy(call.body.token, await currentQuote(table, quote));
      const after = rewritten(edited(acceptedQuote(before, now)), quote);
      const active = record?.status === "active" && !isExpired(record, now) ? record : undefined;
      const customerId = actor.kind === "customer" ? actor.id : null;
      const version = customerId === null ? (active?.version ?? 0) : (record?.version ?? 0);
      const cart = cartWith(after, active, { customerId, version, settings, now });
      const cartToken = customerId === null ? newOpaqueToken(shop.randomBytes) : null;
      const event = {
        type: "quote_accepted",
        quote_id: after.id,
        revision: after.revision,
      } as const;
      const writes = [
        ...(after === quote ? [] : replaceQuote(before, after)),
        ...(before.status === "sent" ? [publishEvent(event, now)] : []),
        ...(cartToken !== null ? movedCart(call, { cart, from: active, linked, cartToken }) : []),
        ...(customerId !== null && cart !== active
          ? [putCart({ kind: "customer", id: customerId }, cart, record)]
          : []),
      ];
      const lifetimeDays = settings.checkout.cart_lifetime_days;
      await Promise.all([
        writes.length > 0 && table.transact(writes),
        active && cart !== active && renewPictures(table, active, { lifetimeDays, now }),
      ]);
      const keys = customerId === null ? [] : [`customer#${customerId}` as const];
      const buyer = { signed_in: customerId !== null, keys };
      const facts = await readFacts(table.getMany, cart.lines, cart.coupon_code, buyer);
      const choices = { settings, destination: null, method: null, now };
      return { reading: readCart(cart, facts, choices), cartToken };
    },
  );
}

/** Returns the writes that store a guest's cart under a new token. The old token stops working. */
function movedCart(
  { params, body }: AcceptCall,
  moved: {
    readonly cart: StoredCart;
    readonly from: StoredCart | undefined;
    readonly linked: QuoteCart | undefined;
    readonly cartToken: string;
  },
): Write[] {
  const { cart, from, linked, cartToken } = moved;
  const cart_hash = hashOf(cartToken);
  return [
    putCart(guestOf(cart_hash), cart, undefined),
    putQuoteCart(params.id, { link_hash: hashOf(body.token), cart_hash }, linked),
    ...(from && linked ? [removeCart(guestOf(linked.cart_hash), from)] : []),
  ];
}

/** Increments the quote's version if the quote differs from the stored one and still has the stored version. */
const rewritten = (quote: StoredQuote, stored: StoredQuote | undefined): StoredQuote =>
  quote !== stored && quote.version === stored?.version
    ? { ...quote, version: quote.version + 1 }
    : quote;

interface CartPlace {
  /** Null for a guest. */
  readonly customerId: string | null;
  /** Version of the stored cart that is replaced; 0 if there is none. */
  readonly version: number;
  readonly settings: Settings;
  readonly now: Date;
}

/**
 * Returns the cart with the quote's lines, which replace the lines of an earlier revision. Returns `cart` itself if it
 * already has the same lines.
 */
function cartWith(
  quote: StoredQuote,
  cart: StoredCart | undefined,
  { customerId: customer_id, version, settings, now }: CartPlace,
): StoredCart {
  const { id, revision, valid_until } = quote;
  const offer = { quote_id: id, revision, valid_until: valid_until ?? now.toISOString() };
  const quoted = quote.items.map((item): StoredCartLine => ({ ...quotedLine(item), ...offer }));
  const own = cart?.lines ?? [];
  const inCart = own.filter((line) => line.kind === "quoted" && line.quote_id === id);
  if (cart && isDeepStrictEqual(inCart, quoted)) return cart;

  const others = own.filter((line) => !inCart.includes(line));
  const combined = combineLines([...others, ...quoted]);
  if (!combined.ok || !fitsStorage(combined.lines)) {
    throw invalidField(
      "cart",
      "The cart has no room for the quoted lines. Remove some items first.",
    );
  }
  const { currency } = quote;
  return {
    ...(cart ?? newCart({ id: newId("cart", now), customer_id, currency, now })),
    lines: combined.lines,
    coupon_code: cart?.coupon_code ?? null,
    version: version + 1,
    updated_at: now.toISOString(),
    expires_at: cartExpiry(now, settings.checkout.cart_lifetime_days),
  };
}

export const LinkToken = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: "Token of the mailed link" });

/**
 * The quote of a mailed link. Sending the quote again invalidates the link.
 *
 * @throws AppError `not_found`, both for an unknown quote and for a wrong token
 */
export function openedBy(token: string, quote: StoredQuote | undefined): StoredQuote {
  // No constant-time comparison is needed: timing reveals nothing useful about hashes of random tokens.
  if (quote && quote.link_hash === hashOf(token)) return quote;
  throw new AppError("not_found", { message: "This link is invalid or has expired." });
}

/** Reads a quote as it stands now. */
export const readCurrentQuote = async (table: Table, id: string) =>
  currentQuote(table, await table.get(Quotes, { id }));

/**
 * Declines a quote. Declining a declined quote changes nothing.
 *
 * @param first the quote, as the request has read it
 * @throws AppError `not_found`, `invalid_transition`
 */
export async function declineQuote(
  call: {
    readonly params: { readonly id: string };
    readonly body: { readonly token: string; readonly reason?: string | null | undefined };
    readonly now: Date;
  },
  first: StoredQuote | undefined,
  table: Table,
): Promise<StoredQuote> {
  const { params, body, now } = call;
  const read = () => readCurrentQuote(table, params.id);
  return retryOnConflict(first, read, async (found) => {
    const before = openedBy(body.token, found);
    const after = edited(declinedQuote(before, body.reason ?? null, now));
    if (after !== before) {
      const event = { quote_id: after.id, revision: after.revision };
      await table.transact([
        ...replaceQuote(before, after),
        publishEvent({ type: "quote_declined", ...event }, now),
      ]);
    }
    return after;
  });
}
