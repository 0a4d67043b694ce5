import type { Shop } from "#shared/application/shop.ts";
import {
  confirmSubscription,
  requestSubscription,
} from "#shared/application/marketing/subscribe.ts";
import { linkIsDead } from "#shared/application/identity/mail-link.ts";
import { MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { SubscriptionInput } from "#shared/domain/marketing/subscription.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, optionalCustomer, route } from "#shared/http/route.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";
import { isOwnEmail } from "./own-email.ts";

export const subscribeToNewsletter = route({
  method: "POST",
  path: "/newsletter",
  summary: "Subscribe to the newsletter",
  description:
    "Mails a link that confirms the address, at most one a day. A signed-in customer's own verified " +
    "email is subscribed at once. The response is the same whether or not the address is subscribed.",
  access: optionalCustomer,
  limit: "newsletter",
  request: {
    body: SubscriptionInput.meta({
      example: { email: "asha@example.com", name: "Asha Rao", consent: true, source: "footer" },
    }),
  },
  response: { status: 202, data: MessageResponse },
  first: ({ actor, body }, shop: Shop<"table" | "randomBytes">) =>
    isOwnEmail(actor, body.email, shop),
  async handle({ body: { email, name, source }, first: isProven, now }, shop) {
    const at = now.toISOString();
    const request = { email, name, source, at, isProven };
    await requestSubscription(request, shop, { isPublic: true, now });
    const message =
      "Thank you. If the address still has to be confirmed, we have mailed it a link.";
    return { data: { message } };
  },
});

export const confirmNewsletter = route({
  method: "POST",
  path: "/newsletter/confirm",
  summary: "Confirm a newsletter subscription",
  description:
    "Requires the token of the mailed link. The link works once, within seven days and before the " +
    "address is unsubscribed.",
  access: anyone,
  limit: "verify_email",
  request: { body: MailedTokenInput },
  response: { status: 200, data: MessageResponse },
  first: ({ body, now }, { table }: Shop<"table">) =>
    findProof(table, body.token, { purpose: "verify_email", guard: "customer" }, now),
  async handle({ body: { token }, first: proof, now }, { table }) {
    if (!proof) throw linkIsDead();
    await confirmSubscription(token, proof, { table, now });
    return { data: { message: "You are subscribed." } };
  },
});

export const routes = [subscribeToNewsletter, confirmNewsletter];
