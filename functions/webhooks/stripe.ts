import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { AppError } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import { readNotice } from "#shared/payments/stripe-webhook.ts";
import { reconcileWebhookPayment } from "#shared/application/payment/reconcile-webhook-payment.ts";

/** Limit of the body; many times the size of Stripe's largest events. */
const maxBytes = 1024 * 1024;

export const receiveStripe = route({
  method: "POST",
  path: "/webhooks/payments/stripe",
  outsideApi: true,
  summary: "Receive payment events from Stripe",
  access: anyone,
  request: {
    raw: { maxBytes },
    headers: z.object({ "stripe-signature": z.string().max(2000).optional() }),
  },
  response: { status: 200, text: true },
  errors: ["bad_signature", "unsupported_event"],
  async handle({ rawBody: body, headers, now }, shop: Shop<"table" | "gateways" | "log">) {
    const secret = await shop.gateways.webhookSecret();
    if (secret === null) throw new AppError("unavailable", { message: "Stripe is not set up." });
    const signature = headers["stripe-signature"];
    const notice = await readNotice({ body, signature, secret, now });
    if (notice === "unsigned") throw new AppError("bad_signature");
    if (notice === "unsupported") throw new AppError("unsupported_event");

    await reconcileWebhookPayment(notice, shop, now);
    return { text: "" };
  },
});

export const routes = [receiveStripe];
