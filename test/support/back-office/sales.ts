import { randomInt } from "node:crypto";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { Quote } from "#shared/domain/enquiry/quote-view.ts";
import type { EnquiryReceipt } from "#shared/domain/enquiry/enquiry.ts";
import type * as z from "zod";
import { type Reply, clientOf } from "../http/client.ts";
import { mark } from "./catalog.ts";
import type { Inbox } from "../emulators/inbox.ts";
import type { Problem } from "../http/answers.ts";
import type { Data } from "../shop/shopping.ts";
import { aPerson } from "../shop/shopping.ts";
import { aCheckout } from "../shop/plant.ts";
import type { StaffClient } from "../people/people.ts";

export type QuoteView = z.output<typeof Quote>;
export type Submitted = Reply<Data<EnquiryReceipt> & Problem>;

/** A lead form of a new person. */
export function aLeadForm(overrides: Record<string, unknown> = {}) {
  const { email, phone } = aPerson();
  return {
    type: "contact",
    name: "Ravi Menon",
    email,
    phone,
    message: `Do you make this in oak? ${randomInt(1e9)}`,
    consent: true,
    ...overrides,
  };
}

/** A quote request of a new person. */
export function aQuoteForm(items: readonly object[], overrides: Record<string, unknown> = {}) {
  const { type: _type, ...form } = aLeadForm();
  return { ...form, items, ...overrides };
}

/** A custom item outside the catalog. */
export const aBench = (overrides: object = {}) => ({
  custom: { title: "Bench to measure", dimensions: { width_mm: 2_400 } },
  quantity: 2,
  ...overrides,
});

export interface SentQuote {
  readonly quote: QuoteView;
  /** The token of the mailed link. */
  readonly token: string;
}

/** Sets one price for every line of a quote, sends it and reads its link from the mail. */
export async function sendQuote(
  desk: { staff: StaffClient; inbox: Inbox },
  id: string,
  unit_price: number,
  more: Record<string, unknown> = {},
): Promise<SentQuote> {
  const path = `/admin/quotes/${id}`;
  const { items } = (await desk.staff.get<Data<QuoteView>>(path)).body.data;
  const sent = await desk.staff.patch<Data<QuoteView>>(path, {
    items: items.map((item) => ({ id: item.id, unit_price })),
    status: "sent",
    ...more,
  });
  if (sent.status !== 200) throw new Error(sent.text);
  const quote = sent.body.data;
  return { quote, token: await mailedToken(desk.inbox, quote) };
}

/** Waits until a link was mailed for every revision of a quote, and returns the newest link's token. */
async function mailedToken(inbox: Inbox, quote: QuoteView): Promise<string> {
  const link = new RegExp(`/quotes/${quote.id}\\?token=([\\w.-]{60})`);
  const email = quote.email ?? "";
  const seen = new Set<string>();
  await inbox.waitFor(email, ({ body }) => {
    const token = link.exec(body.text)?.[1];
    if (token !== undefined) seen.add(token);
    return seen.size >= quote.revision;
  });
  const mails = await inbox.mailsTo(email);
  return mails.flatMap(({ body }) => link.exec(body.text)?.[1] ?? []).at(-1) ?? "";
}

/** Requests a quote from a new IP address. */
export async function askForQuote(
  baseUrl: string,
  items: readonly object[],
  overrides: Record<string, unknown> = {},
): Promise<EnquiryReceipt> {
  const form = aQuoteForm(items, overrides);
  const reply: Submitted = await clientOf(baseUrl).post("/quotes", form);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
}

/** Begins a quote with all that an order needs, as staff. */
export async function beginQuote(
  staff: Pick<StaffClient, "post">,
  overrides: Record<string, unknown> = {},
): Promise<QuoteView> {
  const { name, phone, shipping_address, shipping_method } = aCheckout();
  const reply = await staff.post<Data<QuoteView>>("/admin/quotes", {
    customer: { name, phone },
    channel: "phone",
    shipping_address,
    shipping_method,
    ...overrides,
  });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
}

/** Sends a quote without a mail, and returns the token of its link. */
export async function linkToken(staff: Pick<StaffClient, "post">, id: string): Promise<string> {
  const sent = await staff.post<Data<{ url: string }>>(`/admin/quotes/${id}/send`, { via: "link" });
  if (sent.status !== 200) throw new Error(sent.text);
  return new URL(sent.body.data.url).searchParams.get("token") ?? "";
}

/** Sends a quote, accepts it with its link as a guest, and returns the headers of the guest's cart. */
export async function acceptByLink(
  baseUrl: string,
  staff: Pick<StaffClient, "post">,
  id: string,
): Promise<{ "x-cart-token": string }> {
  const token = await linkToken(staff, id);
  const { body } = await clientOf(baseUrl).post<Data<Cart>>(`/quotes/${id}/accept`, { token });
  return { "x-cart-token": body.data.token ?? "" };
}

/** The body of a new showroom. */
export const aLocationBody = (overrides: object = {}) => ({
  code: `showroom-${mark()}`,
  name: "Showroom Indiranagar",
  kind: "showroom",
  address: {
    line1: "12, 100 Feet Road",
    city: "Bengaluru",
    state: "Karnataka",
    postal_code: "560038",
    country: "IN",
  },
  ...overrides,
});
