import * as z from "zod";
import type { Received } from "../domain/inbox/message.ts";
import { receivedMedia } from "../domain/inbox/message-media.ts";

const text = z.string().optional();
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
  from: z.string(),
  timestamp: z.string(),
  type: z.string().default("unsupported"),
  context: z.object({ id: text }).optional().catch(undefined),
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
    .array(z.object({ name: z.object({ formatted_name: text }).optional() }))
    .optional()
    .catch(undefined),
  button: z.object({ text }).optional().catch(undefined),
  interactive: z
    .object({
      button_reply: named,
      list_reply: named,
      nfm_reply: z.object({ body: text }).optional(),
    })
    .optional()
    .catch(undefined),
  reaction: z.object({ message_id: text, emoji: text }).optional().catch(undefined),
  order: z
    .object({ product_items: z.array(z.unknown()).default([]), text })
    .optional()
    .catch(undefined),
  system: z.object({ body: text }).optional().catch(undefined),
});
type WhatsAppMessage = z.output<typeof WhatsAppMessage>;

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

/** The content of a message as text. Content without a text form is described by its kind. */
export function contentOf(message: WhatsAppMessage): Content {
  const content = isFileKind(message.type)
    ? fileContent(message.type, message[message.type])
    : plainContent(message);
  return { ...content, text: content.text.toWellFormed().slice(0, longest).toWellFormed() };
}

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

function plainContent(message: WhatsAppMessage): Content {
  const { type, text, location, contacts, button, interactive, reaction, order, system } = message;
  switch (type) {
    case "text":
      return said("text", text?.body);
    case "location":
      return said("location", location && `Location: ${placeInWords(location)}`);
    case "contacts": {
      const names = (contacts ?? []).flatMap(({ name }) => name?.formatted_name ?? []);
      return said("contacts", `Contact: ${names.join(", ") || "without a name"}`);
    }
    case "button":
      return said("button", button?.text);
    case "interactive": {
      const { button_reply, list_reply, nfm_reply } = interactive ?? {};
      return said("interactive", button_reply?.title ?? list_reply?.title ?? nfm_reply?.body);
    }
    case "reaction":
      return said("reaction", reaction?.emoji ? `Reaction: ${reaction.emoji}` : "Reaction removed");
    case "order":
      return said("order", order && `Order from WhatsApp's catalog: ${itemsInWords(order)}`);
    case "system":
      return said("system", system?.body);
    default:
      return said("unsupported", undefined);
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

function itemsInWords({ product_items, text }: NonNullable<WhatsAppMessage["order"]>): string {
  const items = `${product_items.length} ${product_items.length === 1 ? "item" : "items"}`;
  return text ? `${items}, ${text}` : items;
}
