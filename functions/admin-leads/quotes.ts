import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import {
  type QuoteRecord,
  patchQuote,
  readQuoteRecord,
} from "#shared/application/enquiry/patch-quote.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import * as z from "zod";
import { QuoteStatus, quoteStatusAt, type StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { priceQuote } from "#shared/domain/enquiry/quote-price.ts";
import { Quote, QuoteSummary, quoteFacts } from "#shared/domain/enquiry/quote-view.ts";
import {
  AcceptQuoteInput,
  QuotePatch,
  SendQuoteInput,
  StaffQuoteInput,
} from "#shared/domain/enquiry/quote-input.ts";
import { acceptForCustomer, sendQuote } from "#shared/application/enquiry/send-quote.ts";
import { beginQuote } from "#shared/application/enquiry/begin-quote.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { route, staff } from "#shared/http/route.ts";
import { currentQuotes } from "#shared/storage/enquiry/ordered-quotes.ts";
import { Quotes, quoteList, quotesIn } from "#shared/storage/enquiry/quotes.ts";
import { type EnquiryList, enquiryFilters, findEnquiries, withAssignees } from "./enquiry-list.ts";
import { withNames } from "#shared/application/enquiry/assign-staff.ts";

type QuotesShop = Shop<"table" | "randomBytes" | "settings", CommerceGroup>;

export const listQuotes = listRoute({
  path: "/admin/quotes",
  summary: "List quotes, newest first",
  description: "With filters, pages may be shorter than `per_page`.",
  access: staff("leads.view"),
  query: z.strictObject({ ...enquiryFilters, status: QuoteStatus.optional() }),
  row: QuoteSummary,
  list: ({ query, now }, shop: Shop<"table" | "settings", CommerceGroup>) =>
    findEnquiries(shop, quotesNow(shop, query.status, now), query),
  async shown(quotes, { now }, { table, settings }) {
    const [named, current] = await Promise.all([withAssignees(table, quotes), settings.current()]);
    return named.map((quote) => ({
      ...quote,
      status: quoteStatusAt(quote, now),
      totals: priceQuote(quote, current)?.totals ?? null,
    }));
  },
});

/** The quotes that have a status now; all of them without one. */
const quotesNow = (
  { table }: Shop<"table">,
  status: QuoteStatus | undefined,
  now: Date,
): EnquiryList<StoredQuote> => ({
  of: Quotes,
  range: rangeOf(status),
  current: (quotes) => currentQuotes(table, quotes),
  isMatch: (quote) => status === undefined || quoteStatusAt(quote, now) === status,
});

/**
 * Expired quotes are stored with the status `sent` or `accepted`, and accepted ones whose order has ended as
 * `converted`, so no index partition lists them. Their lists therefore read all quotes and filter them.
 */
function rangeOf(status: QuoteStatus | undefined): EnquiryList<StoredQuote>["range"] {
  return status === undefined || status === "expired" || status === "accepted"
    ? { index: "gsi1", partition: quoteList }
    : { index: "gsi2", partition: quotesIn(status) };
}

export const getQuote = route({
  method: "GET",
  path: "/admin/quotes/{id}",
  summary: "Get a quote with its lines and notes",
  description:
    "Includes totals and `allowed_transitions`, the states that the quote can change to.",
  access: staff("leads.view"),
  request: { params: byId },
  response: { status: 200, data: Quote },
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    readQuoteRecord(table, params.id),
  handle: async ({ first, now }, shop) => answerOf(orNotFound(first), now, shop),
});

/** A quote that was sent, and its link. */
const QuoteLink = z.object({
  quote: Quote,
  url: z.string().meta({ description: "Opens the quote, and lets the customer accept it" }),
  whatsapp_url: z.string().nullable().meta({
    description: "Opens a chat with the customer in WhatsApp, with the link in it",
  }),
});

const example: z.input<typeof StaffQuoteInput> = {
  customer: { name: "Asha Rao", phone: "+91 98450 11223" },
  channel: "showroom",
  items: [
    {
      product: "kaveri-lounge-chair",
      quantity: 2,
      discount: { bps: 500, reason: "Two of them" },
    },
  ],
};

export const addQuote = route({
  method: "POST",
  path: "/admin/quotes",
  summary: "Begin a quote for a customer",
  description:
    "The quote is in review. Totals are a cart's, with delivery once it has an address and a method. A price below the " +
    "catalog's, and one of a custom item, need `orders.discount`.",
  access: staff("orders.create"),
  idempotent: true,
  request: { body: StaffQuoteInput.meta({ example }) },
  response: { status: 201, data: Quote },
  handle: (call, shop: QuotesShop) =>
    beginQuote(call, shop, (record) => answerOf(record, call.now, shop)),
});

export const changeQuote = route({
  method: "PATCH",
  path: "/admin/quotes/{id}",
  summary: "Update or send a quote",
  description:
    "`items` lists all lines of the quote: a line with an `id` keeps members that are left out, a " +
    "line without one is new, and a line that is not listed is removed. Changing the lines, the " +
    "shipping note or `valid_until` of a sent or answered quote invalidates its link and returns " +
    "the quote to review. With `status: sent`, the same call also sends the changed quote as a new " +
    "revision. Sending requires an email and a price for every line. A price below the catalog's, and " +
    "one of a custom item, need `orders.discount`.",
  access: staff("leads.edit", "orders.create"),
  request: {
    params: byId,
    headers: ifMatch,
    body: QuotePatch.meta({
      example: {
        status: "sent",
        valid_until: "2026-12-05T18:00:00+05:30",
        items: [{ id: "line_01JD00000000000000000000A1", unit_price: 2_150_000 }],
      },
    }),
  },
  response: { status: 200, data: Quote },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: QuotesShop) => readQuoteRecord(table, params.id),
  async handle(call, shop) {
    return answerOf(await patchQuote(call, call.first, shop), call.now, shop);
  },
});

export const sendStaffQuote = route({
  method: "POST",
  path: "/admin/quotes/{id}/send",
  summary: "Send a quote",
  description:
    "Makes a link of its own, which ends earlier links, and a new revision unless nothing changed since the last one. " +
    "`email` mails the link; with `whatsapp` and `link` you pass `url` on. A quote that was sent can be sent again.",
  access: staff("leads.edit", "orders.create"),
  idempotent: true,
  request: {
    params: byId,
    headers: ifMatch,
    body: SendQuoteInput.meta({ example: { via: "link" } }),
  },
  response: { status: 200, data: QuoteLink, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: QuotesShop) => readQuoteRecord(table, params.id),
  handle: (call, shop) =>
    sendQuote(call, call.first, shop, async ({ record, ...link }) => {
      const { data: quote, version } = await answerOf(record, call.now, shop);
      return { data: { quote, ...link }, version };
    }),
});

export const acceptStaffQuote = route({
  method: "POST",
  path: "/admin/quotes/{id}/accept",
  summary: "Accept a quote for its customer",
  description:
    "For a customer who accepts on the phone or in the showroom. Repeating the call changes nothing.",
  access: staff("leads.edit", "orders.create"),
  request: {
    params: byId,
    headers: ifMatch,
    body: AcceptQuoteInput.meta({ example: { by: "phone" } }),
  },
  response: { status: 200, data: Quote, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    readQuoteRecord(table, params.id),
  handle: async (call, shop) =>
    answerOf(await acceptForCustomer(call, call.first, shop), call.now, shop),
});

async function answerOf(
  { quote, notes }: QuoteRecord,
  now: Date,
  shop: Shop<"table" | "settings", CommerceGroup>,
) {
  const [view, settings] = await Promise.all([
    withNames(shop.table, quote, notes),
    shop.settings.current(),
  ]);
  const { assignee, notes: named } = view;
  return {
    data: { ...quoteFacts(quote, settings, now), assignee, notes: named },
    version: quote.version,
  };
}

export const routes = [
  listQuotes,
  addQuote,
  getQuote,
  changeQuote,
  sendStaffQuote,
  acceptStaffQuote,
];
