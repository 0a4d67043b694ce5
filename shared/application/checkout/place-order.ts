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
import { finalPricing } from "#shared/domain/checkout/final-pricing.ts";
import { offeringSlots } from "#shared/application/delivery/free-slots.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type OrderRecord, noRows } from "#shared/domain/order/order.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { type Placement, orderFromCart } from "#shared/domain/checkout/order-from-cart.ts";
import { taxIdProblem } from "#shared/domain/contact/tax-id.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  invalidFields,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { count } from "#shared/runtime/count.ts";
import { type Once, once } from "#shared/application/once.ts";
import { callerOf, countAround } from "#shared/auth/rate-limit.ts";
import { AddressBooks } from "#shared/storage/customer/addresses.ts";
import { Carts, convertCart } from "#shared/storage/cart/carts.ts";
import { convertQuote } from "#shared/storage/enquiry/quote-states.ts";
import { type QuoteState, agreedTerms, quotesOf } from "#shared/domain/cart/quoted-line.ts";
import { Coupons } from "#shared/storage/pricing/coupons.ts";
import { leadWrites } from "#shared/application/enquiry/save-quote.ts";
import {
  Idempotency,
  type IdempotencyId,
  type IdempotencyRecord,
} from "#shared/storage/idempotency.ts";
import { OrderOpenings, callerHash } from "#shared/storage/order/order-openings.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
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
import { type WantedDelivery, confirmBy, slotZoneFor } from "#shared/domain/delivery/slot-zone.ts";
import type { BookedSlot } from "#shared/domain/delivery/delivery-slot.ts";
import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import type { Write } from "#shared/storage/writes.ts";
import { countersOf, openingOf, orderWrites, tooManyOrders } from "./order-writes.ts";

type PlaceOrderShop = Shop<"table" | "gateways" | "linkKeys" | "randomBytes" | "rates">;

/**
 * How often an order waits for other orders of the same goods before it reads again whether any are left. Buyers of
 * goods that have just been sold out so get their refusal without waiting for each other.
 */
const maxConflicts = 3;

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
  shop: PlaceOrderShop,
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
    place(call, current, { id, binding: bind() }, shop),
  );
}

async function place(
  call: CheckoutCall,
  { cart, claim, settings, addressBook, openings }: OpenedCheckout,
  { id, binding }: { readonly id: string; readonly binding: readonly Write[] },
  shop: PlaceOrderShop,
): Promise<PlacedOrder> {
  if (!claim || !cart || cart.lines.length === 0) throw new AppError("cart_empty");
  requireVersion(call.headers["if-match"], cart.version);
  const { body, now } = call;
  const addresses = addressesOf(body, addressBook);
  const couponCode = body.coupon ?? cart.coupon_code;
  const [facts, gateway] = await Promise.all([
    readFacts(
      shop.table.getMany,
      cart.lines,
      couponCode,
      buyerOf(call.actor, { ...body, country: settings.store.country }),
    ),
    body.payment_method === "gateway" ? shop.gateways.current(settings.payments) : null,
    countGuess(call, body.coupon, shop),
  ]);
  const agreed = agreedTerms(cart.lines, facts.quotes);
  const shipping_method = body.shipping_method ?? agreed.shipping_method;
  if (shipping_method === null) {
    throw invalidField("shipping_method", "The shipping method field is required.");
  }
  const delivery = { destination: addresses.shipping, method: shipping_method, settings, now };
  const reading = readCart({ ...cart, coupon_code: couponCode }, facts, delivery);
  const payment_plan = body.payment_plan ?? agreed.payment_plan;
  const request = { ...body, payment_plan, shipping_method };
  const pricing = await offeringSlots(reading, delivery, shop, () =>
    finalPricing(reading, request, { settings, gatewayReady: gateway !== null }),
  );

  const accessToken = accessTokenFor(call, id);
  const lines = reading.lines.map(({ line }) => line);
  // No other coupon joins that of a quote, so at most one of the two is there.
  const isPromised = agreed.coupon !== null;
  const coupon = isPromised
    ? await shop.table.get(Coupons, { code: agreed.coupon })
    : facts.coupon?.coupon;
  const { order, timeline } = orderFromCart({
    id,
    number: orderNumber(shop.randomBytes(12)),
    cart,
    lines,
    pricing,
    request: body,
    sale: agreed.sale,
    couponCode: couponCode ?? agreed.coupon,
    addresses,
    payments: settings.payments,
    returns: settings.returns,
    hasVouchers: settings.tax.vouchers_for_advances,
    counted: countersOf({ ...body, id: cart.customer_id }, coupon ?? null, settings.store.country),
    accessTokenHash: accessToken && hashOf(accessToken),
    deposit: payment_plan === "deposit" ? pricing.deposit : null,
    slot: bookedSlot(reading, delivery),
    offersSlot: slotZoneFor(delivery) !== null,
    now,
  });
  const opening = openingOf(order, { ...call, openings, checkout: settings.checkout });
  const writes = orderWrites({
    order,
    timeline,
    conversions: [
      convertCart(claim, cart, { orderId: id, email: body.email, now }),
      ...order.quotes.map((quote) => convertQuote(quote, id, now)),
    ],
    lines,
    coupon: coupon ?? null,
    isPromised,
    request: body,
    binding,
    maxOpenOrders: settings.checkout.max_open_orders,
    holder: cart.slot_hold?.holder ?? null,
    opening,
    now,
  });
  const won = await leadsWon(quotesOf(cart.lines, facts.quotes), now, shop);
  const uncount = opening && (await countNetworkOrder(call, settings.checkout, shop));
  try {
    await offeringSlots(reading, delivery, shop, () =>
      shop.table.transact([...writes, ...won], { maxConflicts }),
    );
  } catch (error) {
    await uncount?.();
    // Another order took the last units after this checkout had read the stock.
    if (error instanceof AppError && error.code === "insufficient_stock") {
      await count("StockConflicts");
    }
    throw error;
  }
  return {
    order,
    rows: { ...noRows, timeline },
    accessToken,
  };
}

/** The writes with which the open leads of quotes are won, each once. */
async function leadsWon(
  quotes: readonly QuoteState[],
  now: Date,
  { table }: Shop<"table">,
): Promise<Write[]> {
  const leads = [...new Set(quotes.map(({ lead_id }) => lead_id))];
  const writes = leads.map((lead_id) => leadWrites(table, { lead_id }, "won", now));
  return (await Promise.all(writes)).flat();
}

/** Counts an open order against the networks around the caller. Returns what undoes it. */
const countNetworkOrder = (
  { ip, now }: CheckoutCall,
  { max_open_orders_per_ip: calls }: Settings["checkout"],
  { rates }: PlaceOrderShop,
) => countAround(rates, callerOf(ip), { limit: "open_orders", calls, reason: tooManyOrders, now });

function keyOf(call: CheckoutHead): IdempotencyId | null {
  const owner = ownerOf(call);
  if (call.idempotencyKey === null || !owner) return null;
  return { route: "checkout", caller: Carts.key({ owner }).pk, key: call.idempotencyKey };
}

function accessTokenFor({ actor, headers }: CheckoutCall, orderId: string): string | null {
  const cartToken = headers["x-cart-token"];
  return actor.kind === "guest" && cartToken ? orderAccessToken(cartToken, orderId) : null;
}

function addressesOf(body: CheckoutInput, book: AddressBook | undefined): Placement["addresses"] {
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

/** The slot that the order gets; null if the cart holds none. */
function bookedSlot({ slot: reading }: CartReading, delivery: WantedDelivery): BookedSlot | null {
  const zone = slotZoneFor(delivery);
  if (reading.kind !== "held" || !zone) return null;
  const { method: _method, ...slot } = reading.slot;
  return {
    ...slot,
    confirm_by: confirmBy(slot.date, zone, delivery.settings),
    has_left: false,
  };
}
