import type { Budgets } from "./budget.ts";
import { mark } from "../back-office/catalog.ts";
import {
  aBench,
  aLeadForm,
  askForQuote,
  beginQuote,
  type QuoteView,
  sendQuote,
} from "../back-office/sales.ts";
import { clientOf } from "../http/client.ts";
import type { Calls, Shop } from "./shop.ts";
import type { Data } from "../shop/shopping.ts";
import { randomUUID } from "node:crypto";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { signatureOf } from "#infra/local/stripe/webhooks.ts";
import { openInbox } from "#shared/storage/inbox/inbox.ts";
import { onlineBuyers } from "../shop/placed-orders.ts";
import {
  aMessage,
  aNumber,
  aPayload,
  sendWebhook,
  signed,
  whatsAppSecrets,
} from "../back-office/whatsapp.ts";

const aPicture = { filename: "linen.jpg", content_type: "image/jpeg", size: 1_204 };

/** Calls of visitors and staff for leads and quotes. */
export function enquiryCalls({ baseUrl, owner, inbox, made }: Shop): Calls {
  const requestedQuote = () => askForQuote(baseUrl, [aBench()]);
  async function sent() {
    const { quote, token } = await sendQuote(
      { staff: owner, inbox },
      (await requestedQuote()).id,
      700_000,
    );
    return { params: { id: quote.id }, token };
  }
  async function begun() {
    const { id } = await beginQuote(owner, { items: [aBench({ unit_price: 700_000 })] });
    return { params: { id } };
  }
  const visitors = async (path: string, body: object) => {
    const { id } = (await clientOf(baseUrl).post<Data<{ id: string }>>(path, body)).body.data;
    return { params: { id } };
  };

  return {
    async "GET /quotes/{id}"() {
      const { params, token } = await sent();
      return { params, query: `token=${token}` };
    },
    async "GET /quotes/{id}/documents"() {
      const { params, token } = await sent();
      return { params, query: `token=${token}` };
    },
    async "POST /quotes/{id}/accept"() {
      const { params, token } = await sent();
      return { params, body: { token } };
    },
    async "POST /quotes/{id}/decline"() {
      const { params, token } = await sent();
      return { params, body: { token, reason: "Too late" } };
    },
    "GET /media/fabric/{id}": () => visitors("/media/fabric", aPicture),
    "PATCH /admin/leads/{id}": async () => ({
      ...(await visitors("/leads", aLeadForm())),
      body: { status: "contacted", notes: mark() },
    }),
    async "PATCH /admin/quotes/{id}"() {
      const { id } = await requestedQuote();
      const quote = (await owner.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;
      const items = quote.items.map((item) => ({ id: item.id, unit_price: 700_000 }));
      return { params: { id }, body: { items, status: "sent" } };
    },
    "POST /admin/quotes/{id}/send": async () => ({ ...(await begun()), body: { via: "link" } }),
    "POST /admin/quotes/{id}/place": async () => ({
      ...(await begun()),
      body: { payment: { method: "bank_transfer", tender: "upi" } },
    }),
    async "POST /admin/quotes/{id}/accept"() {
      const { params } = await begun();
      await owner.post(`/admin/quotes/${params.id}/send`, { via: "link" });
      return { params, body: { by: "phone" } };
    },
    "GET /admin/media/{id}": async () => ({ params: await made("/admin/media", aPicture) }),
  };
}

export const enquiryBudgets: Budgets = {
  "POST /leads": [4, 4, 1, 18],
  "POST /quotes": [4, 4, 1, 22],
  "GET /quotes/{id}": [3, 3, 2, 1],
  "GET /quotes/{id}/documents": [3, 1, 2, 1],
  "GET /admin/quotes/{id}/documents": [3, 1, 5, 0],
  "POST /quotes/{id}/accept": [4, 4, 4, 22],
  "POST /quotes/{id}/decline": [3, 3, 1, 15],
  "POST /media/fabric": [2, 2, 0, 3],
  "GET /media/fabric/{id}": [1, 1, 1, 0],
  "GET /admin/leads": [3, 2, 6, 0],
  "GET /admin/leads/{id}": [2, 1, 4, 0],
  "PATCH /admin/leads/{id}": [5, 4, 7, 13],
  "GET /admin/quotes": [3, 2, 6, 0],
  "GET /admin/quotes/{id}": [2, 1, 4, 0],
  "PATCH /admin/quotes/{id}": [3, 2, 4, 18],
  "POST /admin/quotes": [4, 4, 6, 22],
  "POST /admin/quotes/{id}/send": [3, 2, 4, 14],
  "POST /admin/quotes/{id}/accept": [4, 3, 5, 14],
  "POST /admin/quotes/{id}/place": [3, 2, 4, 50],
};

/** Calls for conversations with customers, and webhooks of WhatsApp and Stripe. */
export function messageCalls({ baseUrl, environment, table }: Shop): Calls {
  const { buy, stripe } = onlineBuyers(baseUrl, environment);

  /** A conversation whose customer has just written. */
  async function conversation() {
    const number = aNumber();
    const body = JSON.stringify(aPayload({ messages: [aMessage(number)] }));
    await sendWebhook(baseUrl, body, signed(body));
    const stored = await openInbox(table).readNumber(`+${number}`);
    return { params: { id: stored?.id ?? "" } };
  }

  return {
    "POST /admin/inbox/conversations": () => ({
      body: { phone: `+${aNumber()}`, template: { name: "order_ready", language: "en" } },
    }),
    "PATCH /admin/inbox/conversations/{id}": async () => ({
      ...(await conversation()),
      body: { status: "resolved", unread_count: 0 },
    }),
    "POST /admin/inbox/conversations/{id}/messages": async () => ({
      ...(await conversation()),
      body: { text: "Yes, it can be delivered on Saturday." },
    }),
    "GET /webhooks/messaging/whatsapp": () => ({
      query: new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.challenge": "1158201444",
        "hub.verify_token": whatsAppSecrets["whatsapp.verify_token"],
      }).toString(),
    }),
    "POST /webhooks/messaging/whatsapp"() {
      const image = { id: mark(), mime_type: "image/jpeg" };
      const body = aPayload({ messages: [aMessage(aNumber(), { type: "image", image })] });
      return { body, headers: signed(JSON.stringify(body)) };
    },
    async "POST /webhooks/payments/stripe"() {
      const { holdWebhooks, secret, paymentId } = await buy();
      await holdWebhooks();
      await stripe.pay(secret);
      const body = {
        id: `evt_${randomUUID().replaceAll("-", "")}`,
        object: "event",
        data: { object: { object: "payment_intent", id: paymentId } },
      };
      const headers = {
        // Signed when the call is sent, which on a busy machine is minutes after it was prepared.
        get "stripe-signature"() {
          const seconds = Math.floor(Date.now() / 1_000);
          return signatureOf(JSON.stringify(body), emulatorKeys.webhookSecret, seconds);
        },
      };
      return { body, headers };
    },
  };
}

export const messageBudgets: Budgets = {
  "GET /admin/inbox/conversations": [2, 1, 4, 0],
  "POST /admin/inbox/conversations": [3, 3, 4, 18],
  "GET /admin/inbox/conversations/{id}": [2, 1, 4, 0],
  "PATCH /admin/inbox/conversations/{id}": [3, 2, 4, 13],
  "GET /admin/inbox/conversations/{id}/messages": [4, 3, 7, 0],
  "POST /admin/inbox/conversations/{id}/messages": [4, 3, 7, 14],
  "GET /webhooks/messaging/whatsapp": [0, 0, 0, 0],
  "POST /webhooks/messaging/whatsapp": [2, 2, 2, 14],
};
