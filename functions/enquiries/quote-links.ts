import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import {
  declineQuote,
  readCurrentQuote,
  acceptIntoCart,
  openQuote,
  LinkToken,
  openedBy,
} from "#shared/application/enquiry/accept-quote.ts";
import * as z from "zod";
import { Cart } from "#shared/domain/cart/cart.ts";
import { cartView } from "#shared/domain/cart/cart-view.ts";
import { QuoteOffer, quoteOffer } from "#shared/domain/enquiry/quote-view.ts";
import { MultilineText } from "#shared/domain/base/text.ts";
import { anyone, optionalCustomer, route } from "#shared/http/route.ts";
import { wasMailedTo } from "#shared/auth/quote-link.ts";
import { proveEmail } from "#shared/storage/customer/proven-emails.ts";

const byId = z.object({ id: z.string().max(60) });
const exampleToken = "q3uDwM3mS1Yk0G7vY1oJ0r2bq7yXv9cT5nLxE8hZf4A";

export const getQuote = route({
  method: "GET",
  path: "/quotes/{id}",
  summary: "Get the quote of a mailed link",
  description:
    "Also returns a quote that was answered or has expired. A link stops working when a new " +
    "one is sent.",
  access: anyone,
  request: { params: byId, query: z.strictObject({ token: LinkToken }) },
  response: { status: 200, data: QuoteOffer },
  first: ({ params }, { table }: Shop<"table" | "log" | "settings", CommerceGroup>) =>
    readCurrentQuote(table, params.id),
  async handle({ query: { token }, first, now }, { settings, table, log }) {
    const quote = openedBy(token, first);
    const { email } = quote;
    const [current] = await Promise.all([
      settings.current(),
      email !== null && wasMailedTo(email, token) && proveEmail({ table, log }, email, now),
    ]);
    return { data: quoteOffer(quote, current, now), version: quote.version };
  },
});

export const acceptQuote = route({
  method: "POST",
  path: "/quotes/{id}/accept",
  summary: "Accept a quote",
  description:
    "Adds the quote's lines to a cart at the quoted prices. A guest gets a new cart, with its " +
    "token in the body and in the header `X-Cart-Token`; a customer's lines go into the " +
    "customer's cart. Prices and quantities are fixed until the quote's `valid_until`, no coupon " +
    "applies to them, and one order can be placed from the quote. Repeating the call returns the " +
    "same cart. A guest then gets a new token for it, and the earlier token stops working.",
  access: optionalCustomer,
  limit: "quote_answer",
  request: {
    params: byId,
    body: z.strictObject({ token: LinkToken }).meta({ example: { token: exampleToken } }),
  },
  response: { status: 200, data: Cart, headers: ["X-Cart-Token"] },
  errors: ["invalid_transition"],
  first: (call, shop: Shop<"table" | "randomBytes" | "settings", CommerceGroup>) =>
    openQuote(call, shop),
  async handle(call, shop) {
    const { reading, cartToken } = await acceptIntoCart(call, call.first, shop);
    const view = cartView(reading);
    if (cartToken === null) return { data: view, version: view.version };
    const headers = { "X-Cart-Token": cartToken };
    return { data: { ...view, token: cartToken }, version: view.version, headers };
  },
});

export const rejectQuote = route({
  method: "POST",
  path: "/quotes/{id}/decline",
  summary: "Decline a quote",
  description: "Repeating the call changes nothing.",
  access: anyone,
  limit: "quote_answer",
  request: {
    params: byId,
    body: z
      .strictObject({ token: LinkToken, reason: MultilineText(1_000).nullish() })
      .meta({ example: { token: exampleToken, reason: "It comes too late for us." } }),
  },
  response: { status: 200, data: QuoteOffer },
  errors: ["invalid_transition"],
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    readCurrentQuote(table, params.id),
  async handle({ params, body, first, now }, { table, settings }) {
    const quote = await declineQuote({ params, body, now }, first, table);
    return { data: quoteOffer(quote, await settings.current(), now), version: quote.version };
  },
});

export const routes = [getQuote, acceptQuote, rejectQuote];
