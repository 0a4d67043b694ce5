import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { orderAccessToken, provenOrder } from "#shared/auth/order-proof.ts";
import { type AddressBook, addressIn } from "#shared/domain/customer/address-book.ts";
import {
  PostalAddress,
  addressOf,
  asRead,
  readAddress,
} from "#shared/domain/contact/postal-address.ts";
import type { CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import {
  isOpenOrder,
  openingsWindowMs,
  recentOpenings,
} from "#shared/domain/checkout/open-order.ts";
import type { OrderDraft } from "#shared/domain/checkout/order-draft.ts";
import { taxIdProblem } from "#shared/domain/contact/tax-id.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  invalidFields,
  requireVersion,
  tooMany,
} from "#shared/domain/request/app-error.ts";
import { type Once, once } from "#shared/application/once.ts";
import { callerOf, countAround } from "#shared/auth/rate-limit.ts";
import { AddressBooks } from "#shared/storage/customer/addresses.ts";
import { Carts, convertCart } from "#shared/storage/cart/carts.ts";
import { convertQuote } from "#shared/storage/enquiry/quote-states.ts";
import { agreedTerms, quotesOf } from "#shared/domain/cart/quoted-line.ts";
import { Coupons } from "#shared/storage/pricing/coupons.ts";
import {
  Idempotency,
  type IdempotencyId,
  type IdempotencyRecord,
} from "#shared/storage/idempotency.ts";
import { OrderOpenings, callerHash, countOpening } from "#shared/storage/order/order-openings.ts";
import { commerceReads, commerceSettings } from "#shared/storage/settings/settings.ts";
import { at } from "#shared/storage/reads.ts";
import {
  readCart,
  readFacts,
  buyerOf,
  countGuess,
  type CartCaller,
  type OpenedCart,
  currentCart,
  ownerOf,
} from "#shared/application/cart/read-cart.ts";
import type { Write } from "#shared/storage/writes.ts";
import { type NetworkCount, place } from "./place-order.ts";

type PlaceCartShop = Shop<"table" | "gateways" | "linkKeys" | "randomBytes" | "rates">;

/** A checkout request. */
export interface CheckoutCall extends CartCaller {
  readonly ip: string;
  readonly headers: CartCaller["headers"] & { readonly "if-match"?: ExpectedVersion };
  readonly body: CheckoutInput;
  readonly idempotencyKey: string | null;
  readonly bodyHash: string;
}

/** A checkout request whose body has not been read. */
type CheckoutHead = Omit<CheckoutCall, "body" | "bodyHash">;

export interface OpenedCheckout extends OpenedCart {
  /** The record of the request's idempotency key. */
  readonly key: IdempotencyRecord | undefined;
  /** The customer's address book; undefined for guests. */
  readonly addressBook: AddressBook | undefined;
  /** Open orders recently placed from the caller's IP address. */
  readonly openings: OrderOpenings | undefined;
}

export interface PlacedOrder extends OrderRecord {
  /** Token that proves ownership of a guest's order; null for a customer's order. */
  readonly accessToken: string | null;
}

/**
 * Reads in one step the cart, the settings and the caller's records. The catalog records of the cart's lines are read
 * later.
 */
export async function openCheckout(
  call: CheckoutHead,
  { table }: Shop<"table">,
): Promise<OpenedCheckout> {
  const { actor } = call;
  const claim = ownerOf(call);
  const key = keyOf(call);
  const rows = await table.getMany({
    carts: claim ? [at(Carts, { owner: claim })] : [],
    settings: commerceReads(),
    keys: key ? [at(Idempotency, key)] : [],
    books: actor.kind === "customer" ? [at(AddressBooks, { customer: actor.id })] : [],
    openings: [at(OrderOpenings, { caller: callerHash(callerOf(call.ip)) })],
  });
  return {
    claim,
    ...currentCart(rows.carts[0], call.now),
    settings: commerceSettings(rows.settings),
    key: rows.keys[0],
    addressBook: rows.books[0],
    openings: rows.openings[0],
  };
}

/** Places the order, or returns the order that an earlier attempt of this checkout has placed. */
export async function placeOnce(
  call: CheckoutCall,
  opened: OpenedCheckout,
  shop: PlaceCartShop,
): Promise<Once<PlacedOrder>> {
  const id = newId("ord", call.now);
  const placing = {
    route: "checkout",
    id,
    known: { first: opened, again: () => openCheckout(call, shop) },
    key: { id: keyOf(call), used: ({ key }: OpenedCheckout) => key },
    earlier: ({ convertedTo }: OpenedCheckout) => convertedTo ?? undefined,
    replay: async (placed: string): Promise<PlacedOrder> => ({
      ...(await provenOrder(await openOrders(shop.table).find(placed), call, shop)),
      accessToken: accessTokenFor(call, placed),
    }),
    // After any refusal, look for the order of an earlier attempt: that attempt may have used the cart, stock or
    // coupon.
    mayMeanDone: () => true,
  };
  return once(placing, call, shop.table, (bind, current) =>
    placeCart(call, current, { id, binding: bind() }, shop),
  );
}

async function placeCart(
  call: CheckoutCall,
  opened: OpenedCheckout,
  { id, binding }: { readonly id: string; readonly binding: readonly Write[] },
  shop: PlaceCartShop,
): Promise<PlacedOrder> {
  const { cart, claim, settings, addressBook } = opened;
  if (!claim || !cart || cart.lines.length === 0) throw new AppError("cart_empty");
  requireVersion(call.headers["if-match"], cart.version);
  const { body, now } = call;
  const { name, email, phone, payment_method } = body;
  const addresses = addressesOf(body, addressBook);
  const couponCode = body.coupon ?? cart.coupon_code;
  const [facts, gateway] = await Promise.all([
    readFacts(
      shop.table.getMany,
      cart.lines,
      couponCode,
      buyerOf(call.actor, { ...body, country: settings.store.country }),
    ),
    payment_method === "gateway" ? shop.gateways.current(settings.payments) : null,
    countGuess(call, body.coupon, shop),
  ]);
  const agreed = agreedTerms(cart.lines, facts.quotes);
  const method = body.shipping_method ?? agreed.shipping_method;
  if (method === null) {
    throw invalidField("shipping_method", "The shipping method field is required.");
  }
  const delivery = { destination: addresses.shipping, method, settings, now };
  // No other coupon joins that of a quote, so at most one of the two is there.
  const code = couponCode ?? agreed.coupon;
  const isPromised = agreed.coupon !== null;
  const coupon = isPromised
    ? await shop.table.get(Coupons, { code: agreed.coupon })
    : facts.coupon?.coupon;
  const quotes = quotesOf(cart.lines, facts.quotes);
  const accessToken = accessTokenFor(call, id);
  const draft: OrderDraft = {
    ...readCart({ ...cart, coupon_code: couponCode }, facts, delivery),
    buyer: {
      customer: { id: cart.customer_id, name, email, phone },
      access_token_hash: accessToken && hashOf(accessToken),
      tax_id: body.tax_id ?? null,
      note: body.note ?? null,
      marketing_opt_in: body.marketing_opt_in,
    },
    delivery: { addresses, method },
    payments: [],
    terms: { ...body, payment_plan: body.payment_plan ?? agreed.payment_plan, sale: agreed.sale },
    coupon: code === null ? null : { code, record: coupon ?? undefined, isPromised },
    converts: { cart_id: cart.id, quotes },
  };
  return place(
    draft,
    {
      id,
      settings,
      gatewayReady: gateway !== null,
      limits: {
        openOrders: settings.checkout.max_open_orders,
        conflicts: 3,
        opening: (order) => openingOf(order, call, opened, shop),
      },
      converts: [
        convertCart(claim, cart, { orderId: id, email, now }),
        ...quotes.map((quote) => convertQuote(quote, id, now)),
        ...binding,
      ],
      changedError: (cause) => new AppError("cart_changed", { cause }),
      answer: async (record) => ({ answer: { ...record, accessToken }, writes: [] }),
      now,
    },
    shop,
  );
}

const tooManyOrders = "Too many unpaid orders were placed from your network.";

/**
 * Counts an open order against the IP address from which it is placed, and the networks around it.
 *
 * @returns null if the order is not open or the limit is off
 * @throws AppError `too_many_requests`
 */
function openingOf(
  order: StoredOrder,
  { ip, now }: CheckoutCall,
  { openings, settings }: OpenedCheckout,
  { rates }: Shop<"rates">,
): NetworkCount | null {
  const { max_open_orders_per_ip: limit } = settings.checkout;
  if (limit === 0 || !isOpenOrder(order)) return null;
  const recent = recentOpenings(openings?.opened ?? [], now);
  const blocking = recent.at(-limit);
  if (blocking !== undefined) {
    const seconds = Math.ceil((blocking * 1000 + openingsWindowMs - now.getTime()) / 1000);
    throw tooMany(`${tooManyOrders} Please try again later.`, { limit, seconds, now });
  }
  const caller = callerOf(ip);
  const counted = { limit: "open_orders", calls: limit, reason: tooManyOrders, now } as const;
  return {
    write: countOpening(callerHash(caller), openings, now),
    count: () => countAround(rates, caller, counted),
  };
}

function keyOf(call: CheckoutHead): IdempotencyId | null {
  const owner = ownerOf(call);
  if (call.idempotencyKey === null || !owner) return null;
  return { route: "checkout", caller: Carts.key({ owner }).pk, key: call.idempotencyKey };
}

function accessTokenFor({ actor, headers }: CheckoutCall, orderId: string): string | null {
  const cartToken = headers["x-cart-token"];
  return actor.kind === "guest" && cartToken ? orderAccessToken(cartToken, orderId) : null;
}

function addressesOf(body: CheckoutInput, book: AddressBook | undefined): StoredOrder["addresses"] {
  const shipping = body.shipping_address
    ? addressOf(body.shipping_address, body)
    : keptAddress(body.address_id, book);
  const billing = body.billing_address ? addressOf(body.billing_address, body) : shipping;
  const problem = body.tax_id === undefined ? undefined : taxIdProblem(body.tax_id, billing);
  if (problem !== undefined) throw invalidField("tax_id", problem);
  return { shipping, billing };
}

function keptAddress(id: string | undefined, book: AddressBook | undefined): PostalAddress {
  const kept = id !== undefined && book && addressIn(book, id);
  if (!kept) throw invalidField("address_id", "The selected address id is invalid.");
  const { problem } = readAddress(kept);
  if (problem) throw invalidFields([{ ...problem, path: "address_id" }]);
  return asRead(PostalAddress.parse(kept));
}
