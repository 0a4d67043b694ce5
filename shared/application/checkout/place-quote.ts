import type { Shop } from "#shared/application/shop.ts";
import { hashOf, newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { type Answered, type CreatingCall, once } from "#shared/application/once.ts";
import { bookPlace, choiceFor } from "#shared/application/delivery/free-slots.ts";
import { edited } from "#shared/application/edit.ts";
import { type QuoteRecord, readQuoteRecord } from "#shared/application/enquiry/patch-quote.ts";
import { withCouponNow } from "#shared/application/enquiry/apply-quote-coupon.ts";
import { leadWrites } from "#shared/application/enquiry/save-quote.ts";
import { addressAt } from "#shared/application/location/name-location.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { saleOf } from "#shared/domain/base/sales-channel.ts";
import { resolveQuotedLine } from "#shared/domain/cart/quoted-line.ts";
import { finalPricing } from "#shared/domain/checkout/final-pricing.ts";
import { orderFromCart } from "#shared/domain/checkout/order-from-cart.ts";
import type { PlaceQuoteInput } from "#shared/domain/checkout/quote-placement.ts";
import { type PostalAddress, addressOf } from "#shared/domain/contact/postal-address.ts";
import type { BookedSlot } from "#shared/domain/delivery/delivery-slot.ts";
import { type WantedDelivery, slotZoneFor } from "#shared/domain/delivery/slot-zone.ts";
import {
  type PlaceableQuote,
  convertedQuote,
  missingTerms,
} from "#shared/domain/enquiry/convert-quote.ts";
import { cartLineOf } from "#shared/domain/enquiry/quote-item.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { type OrderRecord, noRows } from "#shared/domain/order/order.ts";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import type { PricedLine } from "#shared/domain/pricing/priced-line.ts";
import { priceCart } from "#shared/domain/pricing/totals.ts";
import {
  type ExpectedVersion,
  invalidField,
  invalidFields,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import type { Customer } from "#shared/domain/customer/customer.ts";
import { is } from "#shared/storage/conditions.ts";
import { Coupons } from "#shared/storage/pricing/coupons.ts";
import { replaceQuote } from "#shared/storage/enquiry/quotes.ts";
import { at } from "#shared/storage/reads.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { type TransactionWrite, type Write, check } from "#shared/storage/writes.ts";
import { countersOf, orderWrites } from "./order-writes.ts";
import { receivedAtOnce } from "./received-at-once.ts";

type PlaceQuoteShop = Shop<"table" | "gateways" | "randomBytes" | "settings", CommerceGroup>;

type Found = QuoteRecord | undefined;

export interface PlaceQuoteCall extends CreatingCall, AuditedCall {
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: ExpectedVersion };
  readonly body: PlaceQuoteInput;
  /** The quote, as the request has read it. */
  readonly first: QuoteRecord | undefined;
}

/**
 * Places the order of a quote as staff, with what the buyer has paid at once, in one transaction. Limits of open orders
 * do not hold for staff.
 *
 * @param shown the answer for the placed order
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed` for terms that the quote
 *   lacks, `price_changed`, `insufficient_stock`, `slot_taken`, `already_exists` for a reference that another order has
 */
export async function placeQuote<Data>(
  call: PlaceQuoteCall,
  shop: PlaceQuoteShop,
  shown: (record: OrderRecord, settings: Settings) => Promise<{ data: Data; version: number }>,
) {
  const { params, now } = call;
  const { table } = shop;
  const id = newId("ord", now);
  const creation = {
    route: `POST /admin/quotes/${params.id}/place`,
    id,
    at: (made: string) => `/admin/orders/${made}`,
    known: { first: call.first, again: () => readQuoteRecord(table, params.id) },
    // A concurrent call with the same key may have taken the stock, the slot or the quote itself.
    mayMeanDone: () => true,
    replay: "answer",
  } as const;
  return once<Answered<Data>, Found>(creation, call, table, async (bind, found) => {
    const { quote: before } = orNotFound(found);
    requireVersion(call.headers["if-match"], before.version);
    const { actor } = auditContextOf(call);
    const account = await accountOf(table, before);
    const converted = edited(convertedQuote(before, { orderId: id, now }));
    const complete = placeable({
      ...before,
      ...(account && { email: account.email }),
      shipping_address: before.shipping_address ?? (await collectedAt(table, before)),
    });
    const settings = await shop.settings.current();
    const isPromised = before.status === "sent" || before.status === "accepted";
    const quote = isPromised
      ? complete
      : await withCouponNow(table, complete, { ...settings, now });
    const { items, free_shipping, coupon: code } = quote;
    const after = { ...converted, items, free_shipping };
    const coupon = (code === null ? undefined : await table.get(Coupons, { code })) ?? null;
    const placing = { id, call, coupon, settings, deps: shop };
    const { order, timeline, lines, slot } = await newOrderOf(quote, placing);
    const placed = { order, rows: { ...noRows, timeline } };
    const paid = receivedAtOnce(placed, call.body.payment, { settings, now });
    const answer = await shown(paid.record, settings);
    const target = { kind: "order", id, label: order.number };
    const writes: TransactionWrite[] = [
      ...replaceQuote(before, after),
      // An account that is erased meanwhile gets no order.
      ...(account ? [check(Customers, account, is("version", account.version))] : []),
      ...(await leadWrites(table, after, "won", now)),
      ...slot.writes,
      ...orderWrites({
        order: paid.record.order,
        timeline: paid.record.rows.timeline,
        conversions: [],
        lines,
        coupon,
        isPromised,
        request: { coupon: code ?? undefined },
        binding: [],
        holder: null,
        maxOpenOrders: 0,
        opening: null,
        now,
      }),
      ...paid.writes,
      recordActivity({ ...call, actor }, "order.place", target, {
        before: {},
        after: { quote_id: before.id },
      }),
      ...bind(answer),
    ];
    await table.transact(writes);
    return answer;
  });
}

/**
 * The account that a quote is for.
 *
 * @throws AppError `validation_failed` when it was erased
 */
async function accountOf(
  table: Pick<Table, "get">,
  { customer_id: id }: QuoteRecord["quote"],
): Promise<Customer | undefined> {
  if (id === null) return undefined;
  const account = await table.get(Customers, { id });
  if (account) return account;
  throw invalidField("customer", "The account of this customer was erased.");
}

/** The address at which the buyer collects; null for other delivery. */
const collectedAt = async (table: Pick<Table, "get">, quote: QuoteRecord["quote"]) =>
  quote.shipping_method === "pickup" ? addressAt(table, quote) : null;

/** The quote with all that an order needs. */
function placeable(quote: QuoteRecord["quote"]): PlaceableQuote {
  const problems = missingTerms(quote);
  if (problems.length > 0) throw invalidFields(problems);
  // `missingTerms` has found every member of a placeable quote.
  return quote as PlaceableQuote;
}

interface Placing {
  /** Of the order. */
  readonly id: string;
  readonly call: Pick<PlaceQuoteCall, "body" | "now">;
  readonly coupon: Coupon | null;
  readonly settings: Settings;
  readonly deps: PlaceQuoteShop;
}

async function newOrderOf(quote: PlaceableQuote, { id, call, coupon, settings, deps }: Placing) {
  const { now } = call;
  const { payment, expected_total } = call.body;
  const { shipping_address, shipping_method: method, customer_id, currency } = quote;
  const { name, email, phone, payment_plan, free_shipping } = quote;
  const { stock } = await deps.table.getMany({
    stock: quote.items.flatMap(({ sku, variant_id }) =>
      sku === null || variant_id === null ? [] : [at(Stocks, { id: variant_id })],
    ),
  });
  const stocks = new Map(stock.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  const delivery = { destination: shipping_address, method, settings, now };
  const cartLines = quote.items.map((item) =>
    cartLineOf(item, { ...quote, valid_until: untilPlaced }),
  );
  const facts = { quotes: new Map([[quote.id, { ...quote, status: "accepted" }]]), stock: stocks };
  const resolved = cartLines.map((line) => resolveQuotedLine(line, facts, now));
  const lines = resolved.map(({ line }) => line);
  const priced = priceCart({ ...delivery, lines, coupon: null, free_shipping });
  const request = {
    payment_method: payment.method,
    payment_plan,
    coupon: undefined,
    expected_total: expected_total ?? priced.totals.grand_total,
    shipping_method: method,
  };
  const pricing = finalPricing(
    {
      cart: null,
      currency,
      lines: resolved,
      stock: stocks,
      pricing: priced,
      slot: { kind: "none" },
    },
    request,
    {
      settings,
      gatewayReady:
        payment.method === "gateway" && (await deps.gateways.current(settings.payments)) !== null,
      byStaff: true,
    },
  );
  const slot = await bookWish(quote, lines, delivery, deps);
  const { order, timeline } = orderFromCart({
    id,
    number: orderNumber(deps.randomBytes(12)),
    cart: { id: null, currency, customer_id, lines: cartLines },
    lines,
    pricing,
    request: {
      name,
      email,
      phone,
      payment_method: payment.method,
      marketing_opt_in: false,
      ...(quote.tax_id !== null && { tax_id: quote.tax_id }),
      ...(quote.note !== null && { note: quote.note }),
    },
    sale: saleOf(quote),
    couponCode: quote.coupon,
    addresses: addressesOf(quote),
    payments: settings.payments,
    returns: settings.returns,
    hasVouchers: settings.tax.vouchers_for_advances,
    counted: countersOf({ id: customer_id, name, email, phone }, coupon, settings.store.country),
    // Only the link of the order opens it: no guest's cart has this token.
    accessTokenHash: customer_id === null ? hashOf(newOpaqueToken(deps.randomBytes)) : null,
    deposit: payment_plan === "deposit" ? pricing.deposit : null,
    slot: slot.slot,
    offersSlot: slotZoneFor(delivery) !== null,
    now,
  });
  return { order, timeline, lines, slot };
}

/** The prices of a quote that is being placed hold, whatever its `valid_until` says. */
const untilPlaced = "9999-12-31T00:00:00.000Z";

function addressesOf(quote: PlaceableQuote): { shipping: PostalAddress; billing: PostalAddress } {
  const { shipping_address, billing_address } = quote;
  const shipping = addressOf(shipping_address, quote);
  return { shipping, billing: billing_address ? addressOf(billing_address, quote) : shipping };
}

/** Books the delivery time that the quote wishes for. */
async function bookWish(
  { slot: wish }: PlaceableQuote,
  lines: readonly PricedLine[],
  delivery: WantedDelivery,
  { table }: Shop<"table">,
): Promise<{ slot: BookedSlot | null; writes: readonly Write[] }> {
  if (wish === null) return { slot: null, writes: [] };
  const choice = choiceFor(lines, delivery, {
    no_slots: ["slot", "No delivery time can be chosen for this address and delivery method."],
    made_to_order: [
      "slot",
      "The quote has an item that is made to order. Its delivery time is chosen when the order is ready.",
    ],
  });
  return bookPlace(table, wish, { ...delivery, ...choice });
}
