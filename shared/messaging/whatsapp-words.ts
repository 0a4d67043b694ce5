import * as z from "zod";
import type { Received } from "../domain/inbox/message.ts";
import { receivedMedia } from "../domain/inbox/message-media.ts";

const text = z.string().optional();
const amount = z.union([z.number(), z.string()]).optional().catch(undefined);
const named = z.object({ title: text, id: text, description: text }).optional();
const file = z
  .object({
    id: z.string().min(1).max(500),
    mime_type: text,
    filename: text,
    caption: text,
    voice: z.boolean().optional(),
  })
  .optional()
  .catch(undefined);

/** A message in WhatsApp's format, limited to the members used here. Members with a wrong shape count as missing. */
export const WhatsAppMessage = z.object({
  id: z.string().min(1).max(500),
  /** The sender's number. People may hide it; then WhatsApp names them by their user id alone. */
  from: z.string().optional(),
  from_user_id: z.string().optional().catch(undefined),
  timestamp: z.string(),
  type: z.string().default("unsupported"),
  context: z
    .object({
      id: text,
      /** The product of the catalog that the message is about. */
      referred_product: z.object({ product_retailer_id: text }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  text: z.object({ body: z.string() }).optional().catch(undefined),
  image: file,
  video: file,
  audio: file,
  document: file,
  sticker: file,
  location: z
    .object({ latitude: z.number(), longitude: z.number(), name: text, address: text })
    .optional()
    .catch(undefined),
  contacts: z
    .array(
      z.object({
        name: z.object({ formatted_name: text }).optional().catch(undefined),
        org: z.object({ company: text }).optional().catch(undefined),
        phones: z
          .array(z.object({ phone: text, wa_id: text }))
          .optional()
          .catch(undefined),
        emails: z
          .array(z.object({ email: text }))
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  button: z.object({ text }).optional().catch(undefined),
  interactive: z
    .object({
      button_reply: named,
      list_reply: named,
      nfm_reply: z.object({ body: text, response_json: text }).optional(),
    })
    .optional()
    .catch(undefined),
  reaction: z.object({ message_id: text, emoji: text }).optional().catch(undefined),
  order: z
    .object({
      product_items: z
        .array(
          z
            .object({
              product_retailer_id: text,
              quantity: amount,
              item_price: amount,
              currency: text,
            })
            .catch({}),
        )
        .default([]),
      text,
    })
    .optional()
    .catch(undefined),
  system: z
    .object({ body: text, user_id: text, previous_user_id: text })
    .optional()
    .catch(undefined),
  revoke: z.object({ original_message_id: text }).optional().catch(undefined),
  /** The advertisement from which the customer wrote. */
  referral: z
    .object({ source_type: text, headline: text, body: text, source_url: text })
    .optional()
    .catch(undefined),
});
const Edit = z.object({
  edit: z.object({ original_message_id: text, message: z.record(z.string(), z.unknown()) }),
});
export type WhatsAppMessage = z.output<typeof WhatsAppMessage>;

type Content = Pick<Received, "kind" | "text" | "media">;

const fileNames = {
  image: "Picture",
  video: "Video",
  audio: "Voice message",
  document: "Document",
  sticker: "Sticker",
} as const;
type FileKind = keyof typeof fileNames;
const isFileKind = (type: string): type is FileKind => Object.hasOwn(fileNames, type);

const longest = 10_000;

/**
 * The content of a message as text. Content without a text form is described by its kind.
 *
 * @param sent the message as it came, for edits and for kinds that are not known
 */
export function whatsAppContent(message: WhatsAppMessage, sent: unknown): Content {
  const content = contentOfKind(message, sent);
  const text = [content.text, ...originOf(message)].join("\n\n");
  return { ...content, text: text.toWellFormed().slice(0, longest).toWellFormed() };
}

function contentOfKind(message: WhatsAppMessage, sent: unknown): Content {
  if (isFileKind(message.type)) return fileContent(message.type, message[message.type]);
  const edited = message.type === "edit" ? Edit.safeParse(sent).data?.edit.message : undefined;
  if (!edited) return plainContent(message, sent);
  const { id, timestamp } = message;
  const inner = WhatsAppMessage.safeParse({ ...edited, id, timestamp }).data;
  if (!inner || inner.type === "edit") return plainContent(message, sent);
  const content = contentOfKind(inner, edited);
  return { ...content, text: `Edited message: ${content.text}` };
}

/** The id of the message that this one answers, reacts to, edits or deletes; null if there is none. */
export const aboutMessage = ({ type, context, reaction, revoke }: WhatsAppMessage, sent: unknown) =>
  (type === "edit" ? Edit.safeParse(sent).data?.edit.original_message_id : undefined) ??
  revoke?.original_message_id ??
  context?.id ??
  reaction?.message_id ??
  null;

/** The product and the advertisement that a message came from. */
function originOf({ context, referral }: WhatsAppMessage): string[] {
  const sku = context?.referred_product?.product_retailer_id;
  const { headline, body, source_url, source_type = "ad" } = referral ?? {};
  const ad = withoutGaps([headline, body, source_url]).join(", ");
  return [
    ...(sku ? [`About the product ${sku}`] : []),
    ...(referral ? [`Came from ${source_type === "post" ? "a post" : "an ad"}: ${ad}`] : []),
  ];
}

const withoutGaps = (parts: readonly (string | undefined)[]): string[] =>
  parts.filter((part) => part !== undefined).filter((part) => part !== "");

function fileContent(kind: FileKind, sent: WhatsAppMessage[FileKind]): Content {
  const name = kind === "audio" && sent?.voice === false ? "Audio" : fileNames[kind];
  const said = [sent?.filename, sent?.caption].filter((part) => part !== undefined && part !== "");
  return {
    kind,
    text: said.length > 0 ? `${name}: ${said.join(", ")}` : name,
    media: sent
      ? receivedMedia({
          id: sent.id,
          content_type: sent.mime_type ?? null,
          filename: sent.filename ?? null,
          caption: sent.caption?.toWellFormed().slice(0, longest).toWellFormed() || null,
        })
      : null,
  };
}

function plainContent(message: WhatsAppMessage, sent: unknown): Content {
  const { type, text, location, contacts, button, interactive, reaction, order, system } = message;
  switch (type) {
    case "text":
      return said("text", text?.body);
    case "location":
      return said("location", location && `Location: ${placeInWords(location)}`);
    case "contacts": {
      const cards = (contacts ?? []).map(cardInWords).filter((card) => card !== "");
      return said("contacts", `Contact: ${cards.join("; ") || "without a name"}`);
    }
    case "button":
      return said("button", button?.text);
    case "interactive": {
      const { button_reply, list_reply, nfm_reply } = interactive ?? {};
      const chosen = button_reply?.title ?? list_reply?.title;
      return said("interactive", chosen ?? (nfm_reply && answersInWords(nfm_reply)));
    }
    case "reaction":
      return said("reaction", reaction?.emoji ? `Reaction: ${reaction.emoji}` : "Reaction removed");
    case "order":
      return said("order", order && `Order from WhatsApp's catalog: ${itemsInWords(order)}`);
    case "system":
      return said("system", system?.body);
    case "revoke":
      return said("system", "Message deleted by the customer");
    default:
      return said("unsupported", unknownInWords(type, sent));
  }
}

/** The content of a message of this kind. A message without words counts as unsupported, because it cannot be shown. */
const said = (kind: Content["kind"], words: string | undefined): Content =>
  words === undefined || words === ""
    ? { kind: "unsupported", text: "A message of a kind that cannot be shown here", media: null }
    : { kind, text: words, media: null };

function placeInWords(place: NonNullable<WhatsAppMessage["location"]>): string {
  const { name, address, latitude, longitude } = place;
  return [name, address, `${latitude}, ${longitude}`]
    .filter((part) => part !== undefined && part !== "")
    .join(", ");
}

type ContactCard = NonNullable<WhatsAppMessage["contacts"]>[number];

function cardInWords({ name, org, phones = [], emails = [] }: ContactCard): string {
  const numbers = phones.map(({ phone, wa_id }) => phone ?? (wa_id && `+${wa_id}`));
  const parts = [
    name?.formatted_name,
    org?.company,
    ...numbers,
    ...emails.map(({ email }) => email),
  ];
  return withoutGaps(parts).join(", ");
}

/** The fields of a form that the customer has filled in. */
function answersInWords({
  body,
  response_json,
}: {
  body?: string | undefined;
  response_json?: string | undefined;
}) {
  const fields = Object.entries(jsonObjectIn(response_json)).filter(
    ([name]) => name !== "flow_token",
  );
  const lines = fields.map(([name, value]) => `${name}: ${asText(value)}`);
  return lines.length > 0 ? ["Answers:", ...lines].join("\n") : body;
}

function jsonObjectIn(text: string | undefined): object {
  try {
    return z
      .record(z.string(), z.unknown())
      .catch({})
      .parse(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

function itemsInWords({ product_items, text }: NonNullable<WhatsAppMessage["order"]>): string {
  const count = `${product_items.length} ${product_items.length === 1 ? "item" : "items"}`;
  const items = product_items.flatMap((item) => {
    const { product_retailer_id: sku, quantity = 1, item_price, currency } = item;
    if (sku === undefined) return [];
    const price =
      item_price === undefined
        ? ""
        : ` at ${withoutGaps([String(item_price), currency]).join(" ")}`;
    return [`${quantity} × ${sku}${price}`];
  });
  return [withoutGaps([count, text]).join(", "), ...items].join("\n");
}

/** A message of a kind that is not known, by its name and as it came. */
function unknownInWords(type: string, sent: unknown): string | undefined {
  const { [type]: content, errors } = z.record(z.string(), z.unknown()).catch({}).parse(sent);
  const kept = content ?? errors;
  const name = `A message of the kind ${type.slice(0, 100)}`;
  return kept === undefined ? name : `${name}: ${asText(kept)}`;
}
