import * as z from "zod";
import { AppError } from "#shared/http/errors.ts";
import { anyone, route } from "#shared/http/route.ts";
import { isSignedBy, sameText } from "#shared/messaging/whatsapp-signature.ts";
import type { Deps } from "./deps.ts";

const path = "/webhooks/messaging/whatsapp";
/** WhatsApp sends no more at once. */
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
  summary: "Prove to WhatsApp that this address is the shop's",
  access: anyone,
  request: { query: Challenge },
  response: { status: 200, text: true },
  errors: ["forbidden"],
  async handle({ query }, { secrets }: Deps) {
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
  summary: "Messages and their states from WhatsApp",
  access: anyone,
  request: {
    raw: { maxBytes },
    headers: z.object({ "x-hub-signature-256": z.string().max(200).optional() }),
  },
  response: { status: 200, text: true },
  errors: ["bad_signature"],
  async handle({ rawBody, headers }, { secrets }: Deps) {
    const secret = configured(await secrets.reveal("messaging", "whatsapp.app_secret"));
    if (!isSignedBy(secret, rawBody, headers["x-hub-signature-256"])) {
      throw new AppError("bad_signature");
    }
    return { text: "" };
  },
});

/** Nothing is believed, and nothing stored, before staff have entered the secret it is checked with. */
function configured(secret: string | null): string {
  if (secret !== null) return secret;
  throw new AppError("unavailable", { message: "WhatsApp is not set up." });
}
