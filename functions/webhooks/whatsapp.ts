import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { AppError } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import { isSignedBy, sameText } from "#shared/messaging/whatsapp-signature.ts";
import { receiveNews } from "#shared/application/inbox/receive-news.ts";

const path = "/webhooks/messaging/whatsapp";
/** WhatsApp's maximum payload. */
const maxBytes = 3 * 1024 * 1024;

const Challenge = z.strictObject({
  "hub.mode": z.literal("subscribe"),
  "hub.challenge": z.string().max(200),
  "hub.verify_token": z.string().max(2000),
});

export const shakeHands = route({
  method: "GET",
  path,
  outsideApi: true,
  summary: "Verify the webhook for WhatsApp",
  access: anyone,
  request: { query: Challenge },
  response: { status: 200, text: true },
  errors: ["forbidden"],
  async handle({ query }, { secrets }: Shop<"secrets">) {
    const token = configured(await secrets.reveal("messaging", "whatsapp.verify_token"));
    if (!sameText(query["hub.verify_token"], token)) {
      throw new AppError("forbidden", { message: "The verify token does not match." });
    }
    return { text: query["hub.challenge"] };
  },
});

export const receiveWhatsApp = route({
  method: "POST",
  path,
  outsideApi: true,
  summary: "Receive messages and statuses from WhatsApp",
  access: anyone,
  request: {
    raw: { maxBytes },
    headers: z.object({ "x-hub-signature-256": z.string().max(200).optional() }),
  },
  response: { status: 200, text: true },
  errors: ["bad_signature", "malformed_json"],
  async handle(
    { rawBody, headers, now },
    shop: Shop<"table" | "log" | "messagingSettings" | "secrets">,
  ) {
    const [secret, { messaging }] = await Promise.all([
      shop.secrets.reveal("messaging", "whatsapp.app_secret").then(configured),
      shop.messagingSettings.current(),
    ]);
    if (!isSignedBy(secret, rawBody, headers["x-hub-signature-256"])) {
      throw new AppError("bad_signature");
    }
    await receiveNews(jsonIn(rawBody), messaging.whatsapp.business_account_id, shop, now);
    return { text: "" };
  },
});

/**
 * Returns the app secret. Throws AppError `unavailable` until staff have entered one: without it, no call can be
 * verified.
 */
function configured(secret: string | null): string {
  if (secret !== null) return secret;
  throw new AppError("unavailable", { message: "WhatsApp is not set up." });
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new AppError("malformed_json");
  }
}

export const routes = [shakeHands, receiveWhatsApp];
