import { type Budgets, recordBudgets } from "./budget.ts";
import { randomUUID } from "node:crypto";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { signatureOf } from "#infra/local/stripe/webhooks.ts";
import { openInbox } from "#shared/storage/inbox/inbox.ts";
import { mark } from "../back-office/catalog.ts";
import { onlineBuyers } from "../shop/online-buyer.ts";
import {
  aMessage,
  aNumber,
  aPayload,
  sendWebhook,
  signed,
  whatsAppSecrets,
} from "../back-office/whatsapp.ts";
import type { Calls, Shop } from "./shop.ts";

/** Calls for conversations with customers, and webhooks of WhatsApp and Stripe. */
export function messageCalls({ baseUrl, environment, table }: Shop): Calls {
  const { buy, stripe } = onlineBuyers(baseUrl, environment);

  /** A conversation whose customer has just written. */
  async function conversation() {
    const number = aNumber();
    const body = JSON.stringify(aPayload({ messages: [aMessage(number)] }));
    await sendWebhook(baseUrl, body, signed(body));
    const { conversation: stored } = await openInbox(table).readNumber(`+${number}`, []);
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
      const seconds = Math.floor(Date.now() / 1_000);
      const signature = signatureOf(JSON.stringify(body), emulatorKeys.webhookSecret, seconds);
      return { body, headers: { "stripe-signature": signature } };
    },
  };
}

export const messageBudgets: Budgets = {
  "GET /admin/inbox/conversations": [2, 2, 4, 0],
  "POST /admin/inbox/conversations": [3, 3, 4, 18],
  "GET /admin/inbox/conversations/{id}": [2, 1, 4, 0],
  "PATCH /admin/inbox/conversations/{id}": [3, 2, 4, 13],
  "GET /admin/inbox/conversations/{id}/messages": [4, 3, 7, 0],
  "POST /admin/inbox/conversations/{id}/messages": [4, 3, 7, 14],
  ...recordBudgets("/inbox/quick-replies", { name: "id", isPublic: false }),
  "GET /webhooks/messaging/whatsapp": [0, 0, 0, 0],
  "POST /webhooks/messaging/whatsapp": [2, 2, 2, 14],
};
