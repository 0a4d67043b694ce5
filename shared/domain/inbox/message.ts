import * as z from "zod";
import { StaffName } from "../enquiry/enquiry.ts";
import { Id } from "../base/ids.ts";
import { type FileToSend, MessageMedia, AdminMessageMedia } from "./message-media.ts";
import type { Machine } from "../order/status/order-states.ts";
import { MultilineText, NullableTimestamp, Text, Timestamp } from "../base/text.ts";

export const MessageState = z.enum(["queued", "sent", "delivered", "read", "failed"]);
export type MessageState = z.output<typeof MessageState>;

/**
 * Transitions of a message's state. Status updates arrive in any order, so a state only advances in this order: queued,
 * sent, failed, delivered, read. A delivered message has not failed, even if the response to the send request was lost.
 */
export const messageMachine: Machine<MessageState> = {
  queued: ["sent", "failed", "delivered", "read"],
  sent: ["failed", "delivered", "read"],
  failed: ["delivered", "read"],
  delivered: ["read"],
  read: [],
};

/** The states from which this state can be reached. */
export const statesBefore = (state: MessageState): MessageState[] =>
  MessageState.options.filter((before) => messageMachine[before].includes(state));

export const MessageKind = z.enum([
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "button",
  "interactive",
  "reaction",
  "order",
  "system",
  "template",
  "unsupported",
]);
export type MessageKind = z.output<typeof MessageKind>;

export const TemplateCall = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:_[A-Za-z]{2,4})?$/)
    .meta({ description: "Language code as WhatsApp lists it", example: "en_US" }),
  parameters: z
    .array(Text(1024))
    .max(20)
    .default([])
    .meta({ description: "Values of {{1}}, {{2}} and so on in the template's body" }),
});
export type TemplateCall = z.output<typeof TemplateCall>;

/** A text of the length that WhatsApp allows. */
export const MessageText = MultilineText(4096);

/** A message as stored. */
export const Message = z.object({
  id: Id("msg"),
  conversation_id: Id("conv"),
  direction: z.enum(["inbound", "outbound"]),
  kind: MessageKind,
  text: z.string().meta({ description: "The message's text, or a description of its content" }),
  media: MessageMedia.nullable(),
  template: TemplateCall.nullable(),
  whatsapp_id: z.string().nullable().meta({ description: "null until WhatsApp has accepted it" }),
  reply_to: z
    .string()
    .nullable()
    .meta({ description: "WhatsApp's id of the message that this one answers" }),
  state: MessageState.nullable().meta({ description: "null for messages from the customer" }),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Id of the staff user; null for the customer. */
  sent_by: Id("stf").nullable(),
  at: Timestamp.meta({ description: "When the message was written" }),
  sent_at: NullableTimestamp,
  delivered_at: NullableTimestamp,
  read_at: NullableTimestamp,
  failed_at: NullableTimestamp,
  /** Number of attempts to send it. */
  attempts: z.int().min(0),
  /** When the claim of a worker ends. Until then no other worker sends the message. */
  claimed_until: NullableTimestamp,
});
export type Message = z.output<typeof Message>;

export type MessageKey = Readonly<Pick<Message, "conversation_id" | "id">>;

export const AdminMessage = Message.omit({ attempts: true, claimed_until: true })
  .extend({
    media: AdminMessageMedia.nullable(),
    sent_by: StaffName.nullable().meta({
      description: "Staff user who sent the message; null for messages from the customer",
    }),
  })
  .meta({ id: "Message" });

export const NewMessage = z
  .union([
    z.strictObject({ text: MessageText }),
    z.strictObject({ quick_reply_id: Id("qr") }),
    z.strictObject({ template: TemplateCall }),
    z.strictObject({
      media_id: Id("med").meta({
        description: "Id of a ready JPEG, PNG or PDF of the media library",
      }),
      caption: MultilineText(1024).optional(),
    }),
  ])
  .meta({
    description:
      "Free text, a quick reply with its variables filled in, an approved WhatsApp template, " +
      "or a file",
    example: { text: "Yes, it can be delivered on Saturday." },
  });
export type NewMessage = z.output<typeof NewMessage>;

/** A received message before it is stored. */
export type Received = Pick<Message, "kind" | "text" | "media" | "reply_to" | "at"> & {
  whatsapp_id: string;
};

const fresh = {
  template: null,
  state: null,
  failure: null,
  sent_by: null,
  sent_at: null,
  delivered_at: null,
  read_at: null,
  failed_at: null,
  attempts: 0,
  claimed_until: null,
} as const;

export const receivedMessage = (
  received: Received,
  place: Pick<Message, "id" | "conversation_id">,
): Message => ({ ...fresh, ...place, ...received, direction: "inbound" });

/** A message by staff: free text, an approved WhatsApp template, or a file of the media library. */
export type OutboundContent =
  | { readonly text: string }
  | { readonly template: TemplateCall }
  | { readonly file: FileToSend };

/** A message that is stored and not sent yet. */
export function queuedMessage(
  said: OutboundContent,
  options: Pick<Message, "id" | "conversation_id" | "sent_by"> & { now: Date },
): Message {
  const { now, ...place } = options;
  return {
    ...fresh,
    ...place,
    media: null,
    ...contentOf(said),
    direction: "outbound",
    whatsapp_id: null,
    reply_to: null,
    state: "queued",
    at: now.toISOString(),
  };
}

function contentOf(said: OutboundContent): Pick<Message, "kind" | "text"> & Partial<Message> {
  if ("text" in said) return { kind: "text", text: said.text };
  if ("template" in said) {
    return { kind: "template", text: inWords(said.template), template: said.template };
  }
  const { kind, media } = said.file;
  return { kind, text: fileInWords(said.file), media };
}

/** The text that the conversation shows for a file from staff. It has the same form as the text for a received file. */
function fileInWords({ kind, media }: FileToSend): string {
  const name = kind === "image" ? "Picture" : "Document";
  const details = [kind === "document" && media.filename, media.caption].filter(Boolean);
  return details.length > 0 ? `${name}: ${details.join(", ")}` : name;
}

const inWords = ({ name, parameters }: TemplateCall): string =>
  parameters.length === 0 ? `Template ${name}` : `Template ${name}: ${parameters.join(", ")}`;
