import * as z from "zod";
import type { OutboundContent, TemplateCall } from "../domain/inbox/message.ts";
import type { WhatsAppNumber } from "../domain/inbox/whatsapp-number.ts";
import { timeoutSignal } from "../runtime/deadline.ts";
import { timeoutOf } from "../runtime/timeouts.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/** The account that sends messages. */
export interface WhatsAppAccount {
  readonly phone_number_id: string;
  readonly access_token: string;
  /** Such as `v23.0`. */
  readonly api_version: string;
}

/** A file that WhatsApp fetches from a public URL. */
export interface LinkedFile {
  readonly kind: "image" | "document";
  readonly link: string;
  readonly filename: string | null;
  readonly caption: string | null;
}

/** The recipient: a number, or the user id of a person who hides it. */
export type Recipient = { readonly to: WhatsAppNumber } | { readonly recipient: string };

export type Outgoing = Recipient & {
  readonly said: Exclude<OutboundContent, { file: unknown }> | { readonly file: LinkedFile };
  /** A text that WhatsApp returns with every status of the message; at most 512 characters. */
  readonly reference?: string;
};

/** WhatsApp's answer to a message: accepted, or permanently refused. */
export type SendOutcome =
  | { readonly kind: "sent"; readonly whatsapp_id: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

export interface WhatsApp {
  /**
   * Sends one message. WhatsApp supports no idempotency key.
   *
   * @throws Unavailable when WhatsApp does not answer, or reports a temporary error; WhatsApp may have accepted the
   * message nevertheless
   */
  send(account: WhatsAppAccount, message: Outgoing): Promise<SendOutcome>;
}

const silenceMs = 6_000;
/** Meta's own URL. */
export const cloudApi = "https://graph.facebook.com";

const Taken = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) });
export const WhatsAppRefusal = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().optional(),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
});

/**
 * WhatsApp's codes for rate limits, maintenance and internal errors. Responses with these codes may have the HTTP
 * status of a permanent error.
 */
export const passingCodes = new Set([
  1, 2, 4, 80_007, 130_429, 131_000, 131_016, 131_056, 131_057, 133_004,
]);

/**
 * WhatsApp's Cloud API.
 *
 * @param options.apiUrl replaces Meta's own URL; no slash at the end
 */
export function openWhatsApp(options: { apiUrl?: string | undefined }): WhatsApp {
  const { apiUrl = cloudApi } = options;
  return {
    async send({ phone_number_id, access_token, api_version }, message) {
      const { status, body } = await post(
        `${apiUrl}/${api_version}/${phone_number_id}/messages`,
        access_token,
        onTheWire(message),
      );
      const taken = status < 300 ? Taken.safeParse(body).data?.messages[0] : undefined;
      if (taken) return { kind: "sent", whatsapp_id: taken.id };
      const error = WhatsAppRefusal.safeParse(body).data?.error;
      const passes = status < 400 || status === 408 || status === 429 || status >= 500;
      if (!error || passes || passingCodes.has(error.code)) {
        throw new Unavailable(`WhatsApp answered ${status}, code ${error?.code ?? "none"}`);
      }
      return {
        kind: "refused",
        code: String(error.code),
        message: error.error_data?.details ?? error.message ?? "WhatsApp gave no reason.",
      };
    },
  };
}

async function post(
  url: string,
  token: string,
  message: unknown,
): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(message),
      redirect: "error",
      signal: timeoutSignal(timeoutOf(silenceMs)),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    return { status: answer.status, body };
  } catch (cause) {
    throw new Unavailable("WhatsApp did not answer", { cause });
  }
}

const onTheWire = ({ said, reference, ...recipient }: Outgoing) => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...("to" in recipient ? { to: recipient.to.slice(1) } : { recipient: recipient.recipient }),
  ...contentOnTheWire(said),
  ...(reference !== undefined && { biz_opaque_callback_data: reference }),
});

function contentOnTheWire(said: Outgoing["said"]) {
  if ("text" in said) return { type: "text", text: { body: said.text, preview_url: false } };
  if ("template" in said) return { type: "template", template: templateOnTheWire(said.template) };
  const { kind, link, filename, caption } = said.file;
  const named = kind === "document" && filename !== null && { filename };
  return { type: kind, [kind]: { link, ...named, ...(caption !== null && { caption }) } };
}

const templateOnTheWire = ({ name, language, parameters }: TemplateCall) => ({
  name,
  language: { code: language },
  ...(parameters.length > 0 && {
    components: [{ type: "body", parameters: parameters.map((text) => ({ type: "text", text })) }],
  }),
});
