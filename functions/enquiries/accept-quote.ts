import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import {
  type StoredCart,
  type StoredCartLine,
  cartExpiry,
  combineLines,
  fitsStorage,
  newCart,
} from "#shared/domain/cart.ts";
import type { CartReading } from "#shared/domain/cart-view.ts";
import { newId } from "#shared/domain/ids.ts";
import { acceptedQuote } from "#shared/domain/quote-edit.ts";
import { cartLineOf } from "#shared/domain/quote-item.ts";
import type { StoredQuote } from "#shared/domain/quote.ts";
import type { Settings } from "#shared/domain/settings.ts";
import { edited } from "#shared/http/edited.ts";
import { invalidField } from "#shared/http/errors.ts";
import type { Actor } from "#shared/http/route.ts";
import { readCart, readFacts } from "#shared/storage/cart-facts.ts";
import { type CartOwner, Carts, isExpired, putCart } from "#shared/storage/carts.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import { tell } from "#shared/storage/outbox.ts";
import { Quotes, replaceQuote, standingQuote } from "#shared/storage/quotes.ts";
import { at } from "#shared/storage/table.ts";
import { renewPictures } from "#shared/storage/upload-holds.ts";
import { openedBy } from "./offer.ts";
import type { Deps } from "./deps.ts";

export interface AcceptCall {
  readonly params: { readonly id: string };
  readonly body: { readonly token: string };
  readonly actor: Actor;
  readonly now: Date;
}

/** Where the lines go. A guest's cart is named by a token made of the link's, so that the link always leads to it. */
interface Place {
  readonly owner: CartOwner;
  /** Null for a customer. */
  readonly cartToken: string | null;
}

export interface OpenedQuote {
  readonly quote: StoredQuote | undefined;
  /** Whatever is stored where the lines go. */
  readonly record: StoredCart | undefined;
}

function placeOf({ actor, params, body }: AcceptCall): Place {
  if (actor.kind === "customer") {
    return { owner: { kind: "customer", id: actor.id }, cartToken: null };
  }
  const cartToken = createHmac("sha256", body.token)
    .update(`cart of ${params.id}`)
    .digest("base64url");
  return { owner: { kind: "guest", tokenHash: hashOf(cartToken) }, cartToken };
}

/** Reads the quote and the cart in one step. */
export async function openQuote(call: AcceptCall, { table }: Deps): Promise<OpenedQuote> {
  const { owner } = placeOf(call);
  const { quotes, carts } = await table.getMany({
    quotes: [at(Quotes, call.params)],
    carts: [at(Carts, { owner })],
  });
  return { quote: quotes[0], record: carts[0] };
}

/**
 * Accepts a quote and sees to it that its lines lie in the caller's cart, however often it is called.
 *
 * @throws AppError `not_found`, `invalid_transition`, and `validation_failed` where the cart has no room
 */
export async function acceptIntoCart(
  call: AcceptCall,
  first: OpenedQuote,
  deps: Deps,
): Promise<{ reading: CartReading; cartToken: string | null }> {
  const { now } = call;
  const { table } = deps;
  const { owner, cartToken } = placeOf(call);
  const settings = await deps.settings.current();
  return onFresh(
    first,
    () => openQuote(call, deps),
    async ({ quote, record }) => {
      const before = openedBy(call.body.token, await standingQuote(table, quote));
      const after = rewritten(edited(acceptedQuote(before, now)), quote);
      const active = record?.status === "active" && !isExpired(record, now) ? record : undefined;
      const cart = cartWith(after, active, { owner, version: record?.version ?? 0, settings, now });
      const told = {
        type: "quote_accepted",
        quote_id: after.id,
        revision: after.revision,
      } as const;
      const writes = [
        ...(after === quote ? [] : replaceQuote(before, after)),
        ...(before.status === "sent" ? [tell(told, now)] : []),
        ...(cart === active ? [] : [putCart(owner, cart, record)]),
      ];
      const lifetimeDays = settings.checkout.cart_lifetime_days;
      await Promise.all([
        writes.length > 0 && table.transact(writes),
        active && cart !== active && renewPictures(table, active, { lifetimeDays, now }),
      ]);
      const keys = owner.kind === "customer" ? [`customer#${owner.id}` as const] : [];
      const buyer = { signed_in: owner.kind === "customer", keys };
      const facts = await readFacts(table, cart.lines, cart.coupon_code, buyer);
      const choices = { settings, destination: null, method: null, now };
      return { reading: readCart(cart, facts, choices), cartToken };
    },
  );
}

/** A version later where it is not what is stored. */
const rewritten = (quote: StoredQuote, stored: StoredQuote | undefined): StoredQuote =>
  quote !== stored && quote.version === stored?.version
    ? { ...quote, version: quote.version + 1 }
    : quote;

interface CartPlace {
  readonly owner: CartOwner;
  /** Of the record that it takes the place of; 0 where there is none. */
  readonly version: number;
  readonly settings: Settings;
  readonly now: Date;
}

/** The cart with the quote's lines in it, in place of those of an earlier offer; the same where it holds them. */
function cartWith(
  quote: StoredQuote,
  cart: StoredCart | undefined,
  { owner, version, settings, now }: CartPlace,
): StoredCart {
  const { id, revision, valid_until } = quote;
  const offer = { id, revision, valid_until: valid_until ?? now.toISOString() };
  const quoted = quote.items.map((item): StoredCartLine => cartLineOf(item, offer));
  const own = cart?.lines ?? [];
  const inCart = own.filter((line) => line.kind === "quoted" && line.quote_id === id);
  if (cart && isDeepStrictEqual(inCart, quoted)) return cart;

  const others = own.filter((line) => !inCart.includes(line));
  const combined = combineLines([...others, ...quoted]);
  if (!combined.ok || !fitsStorage(combined.lines)) {
    throw invalidField("cart", "The cart has no room for what was quoted.");
  }
  const customer_id = owner.kind === "customer" ? owner.id : null;
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
