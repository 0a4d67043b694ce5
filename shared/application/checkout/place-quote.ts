import type { Shop } from "#shared/application/shop.ts";
import { hashOf, newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { type Answered, type CreatingCall, once } from "#shared/application/once.ts";
import { edited } from "#shared/application/edit.ts";
import { type QuoteRecord, readQuoteRecord } from "#shared/application/enquiry/patch-quote.ts";
import { withCouponNow } from "#shared/application/enquiry/apply-quote-coupon.ts";
import { addressAt } from "#shared/application/location/name-location.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { saleOf } from "#shared/domain/base/sales-channel.ts";
import { completedLine } from "#shared/domain/cart/quoted-line.ts";
import type { OrderDraft } from "#shared/domain/checkout/order-draft.ts";
import type { PlaceQuoteInput } from "#shared/domain/checkout/quote-placement.ts";
import { addressOf } from "#shared/domain/contact/postal-address.ts";
import {
  type PlaceableQuote,
  convertedQuote,
  missingTerms,
} from "#shared/domain/enquiry/convert-quote.ts";
import { quotedLine } from "#shared/domain/enquiry/quote-item.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
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
import { check } from "#shared/storage/writes.ts";
import { place } from "./place-order.ts";

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
 * Places the order of a quote as staff, with what the buyer has paid at once.
 *
 * @param shown the answer for the placed order
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed` for terms that the quote
 *   lacks, and as `place`
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
    const record = code === null ? undefined : await table.get(Coupons, { code });
    const coupon = code === null ? null : { code, record, isPromised };
    const draft = { ...(await draftOf(quote, call, settings, shop)), coupon };
    const { method } = call.body.payment;
    const gateway = method === "gateway" ? await shop.gateways.current(settings.payments) : null;
    return place(
      draft,
      {
        id,
        settings,
        gatewayReady: gateway !== null,
        limits: null,
        converts: [
          ...replaceQuote(before, { ...converted, items, free_shipping }),
          // An account that is erased meanwhile gets no order.
          ...(account ? [check(Customers, account, is("version", account.version))] : []),
        ],
        async answer(placed) {
          const answer = await shown(placed, settings);
          const target = { kind: "order", id, label: placed.order.number };
          const edit = { before: {}, after: { quote_id: before.id } };
          const activity = recordActivity({ ...call, actor }, "order.place", target, edit);
          return { answer, writes: [activity, ...bind(answer)] };
        },
        now,
      },
      shop,
    );
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

/** The draft of a quote, whose prices hold whatever its `valid_until` says. */
async function draftOf(
  quote: PlaceableQuote,
  { body: { payment, expected_total }, now }: Pick<PlaceQuoteCall, "body" | "now">,
  settings: Settings,
  { table, randomBytes }: Shop<"table" | "randomBytes">,
): Promise<Omit<OrderDraft, "coupon">> {
  const { customer_id: id, name, email, phone, tax_id, note, currency, free_shipping } = quote;
  const { shipping_address, billing_address, shipping_method: method, payment_plan } = quote;
  const { stocks } = await table.getMany({
    stocks: quote.items.flatMap(({ sku, variant_id }) =>
      sku === null || variant_id === null ? [] : [at(Stocks, { id: variant_id })],
    ),
  });
  const stock = new Map(stocks.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  const lines = quote.items.map((item) => completedLine(quotedLine(item), stock));
  const delivery = { destination: shipping_address, method, settings, now };
  const shipping = addressOf(shipping_address, quote);
  const billing = billing_address ? addressOf(billing_address, quote) : shipping;
  const { method: payment_method, tender, ...received } = payment;
  return {
    currency,
    lines: lines.map((line) => ({ line, requirement: null })),
    stock,
    pricing: priceCart({ ...delivery, lines, coupon: null, free_shipping }),
    slot: quote.slot ? { kind: "wished", wish: quote.slot } : { kind: "none" },
    buyer: {
      customer: { id, name, email, phone },
      // Only the link of the order opens it: no guest's cart has this token.
      access_token_hash: id === null ? hashOf(newOpaqueToken(randomBytes)) : null,
      tax_id,
      note,
      marketing_opt_in: false,
    },
    delivery: { addresses: { shipping, billing }, method },
    payments: tender === undefined ? [] : [{ ...received, tender }],
    terms: {
      payment_method,
      payment_plan,
      coupon: quote.coupon ?? undefined,
      expected_total,
      sale: saleOf(quote),
    },
    converts: { cart_id: null, quotes: [quote] },
  };
}
