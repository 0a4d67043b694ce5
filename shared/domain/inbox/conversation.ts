import * as z from "zod";
import { StaffName } from "../enquiry/enquiry.ts";
import { Id } from "../base/ids.ts";
import { Message } from "./message.ts";
import { NullableTimestamp, Text, Timestamp } from "../base/text.ts";
import { WhatsAppNumber, type WhatsAppPerson, WhatsAppUserId } from "./whatsapp-number.ts";

/** `open` awaits the shop's answer; `pending` awaits the customer or something else. */
export const ConversationStatus = z.enum(["open", "pending", "resolved"]);
export type ConversationStatus = z.output<typeof ConversationStatus>;

/** All messages between a person on WhatsApp and the shop. */
export const Conversation = z.object({
  id: Id("conv"),
  channel: z.literal("whatsapp"),
  phone: WhatsAppNumber.nullable().meta({ description: "null if the customer hides it" }),
  user_id: WhatsAppUserId.nullable().meta({ description: "WhatsApp's id of the customer" }),
  name: Text(120).nullable().meta({ description: "The customer's WhatsApp profile name" }),
  status: ConversationStatus,
  assignee_id: Id("stf").nullable(),
  unread_count: z.int().min(0),
  lead_id: Id("lead").nullable(),
  order_id: Id("ord").nullable(),
  last_message: Message.pick({ direction: true, kind: true, text: true, at: true }).nullable(),
  last_message_at: Timestamp,
  reply_window_expires_at: NullableTimestamp.meta({
    description: "Free text can be sent until this time; null if the customer has never written",
  }),
  merged_into: Id("conv")
    .nullable()
    .meta({ description: "The conversation that continues this one" }),
  /** Conversations that were merged into this one, while their messages are being moved. */
  merging: z.array(Id("conv")),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Conversation = z.output<typeof Conversation>;

export const AdminConversation = Conversation.omit({ assignee_id: true, merging: true })
  .extend({ assignee: StaffName.nullable() })
  .meta({ id: "Conversation" });

export const ConversationPatch = z.strictObject({
  status: ConversationStatus.optional(),
  assignee: Id("stf")
    .nullable()
    .optional()
    .meta({ description: "Id of an active staff user; null removes the assignment" }),
  lead_id: Id("lead").nullable().optional(),
  order_id: Id("ord").nullable().optional(),
  unread_count: z.literal(0).optional().meta({ description: "0 marks all messages as read" }),
});
export type ConversationPatch = z.output<typeof ConversationPatch>;

/** WhatsApp allows free text for this long after the customer's last message. */
const replyWindowMs = 24 * 3_600_000;
const previewLength = 200;

export const newConversation = (
  { phone, user_id }: WhatsAppPerson,
  { id, now }: { id: string; now: Date },
): Conversation => ({
  id,
  channel: "whatsapp",
  phone,
  user_id,
  name: null,
  status: "open",
  assignee_id: null,
  unread_count: 0,
  lead_id: null,
  order_id: null,
  last_message: null,
  last_message_at: now.toISOString(),
  reply_window_expires_at: null,
  merged_into: null,
  merging: [],
  version: 0,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
});

/**
 * The conversation with a further message, which may be older than the last message. A customer's message reopens it.
 */
export function withMessage(conversation: Conversation, message: Message): Conversation {
  const { direction, kind, text, at } = message;
  // Cutting the text may leave the first half of a surrogate pair at its end.
  const preview = text.slice(0, previewLength).replace(/[\uD800-\uDBFF]$/, "");
  const isLast = !conversation.last_message || at >= sinceWhen(direction, conversation);
  return {
    ...conversation,
    ...(isLast && {
      last_message: { direction, kind, text: preview, at },
      last_message_at: later(conversation.last_message && conversation.last_message_at, at),
    }),
    ...(direction === "inbound" && {
      status: "open",
      unread_count: conversation.unread_count + 1,
      reply_window_expires_at: later(conversation.reply_window_expires_at, windowAfter(at)),
    }),
  };
}

/**
 * A message written at or after this time becomes the conversation's last message. WhatsApp truncates the times of
 * customers' messages to whole seconds, so they are compared with a truncated time.
 */
const sinceWhen = (direction: Message["direction"], { last_message_at: at }: Conversation) =>
  direction === "inbound" ? new Date(Math.floor(Date.parse(at) / 1000) * 1000).toISOString() : at;

const windowAfter = (at: string) => new Date(Date.parse(at) + replyWindowMs).toISOString();
const later = (one: string | null, other: string) => (one !== null && one > other ? one : other);

/** The conversation without its customer's identity, except phone number and user id: answers go there. */
export const unlinked = (conversation: Conversation): Conversation => ({
  ...conversation,
  name: null,
  lead_id: null,
  order_id: null,
});

/** The next version of the conversation. */
export const rewritten = (conversation: Conversation, now: Date): Conversation => ({
  ...conversation,
  version: conversation.version + 1,
  updated_at: now.toISOString(),
});

/** Whether free text may be sent now. */
export const isWindowOpen = (
  { reply_window_expires_at: expiry }: Conversation,
  now: Date,
): boolean => expiry !== null && Date.parse(expiry) > now.getTime();

/** The conversations that WhatsApp's names of a person lead to. */
export interface KnownConversations {
  readonly byPhone: Conversation | undefined;
  readonly byUserId: Conversation | undefined;
  /** The conversation of the user id that the person had before. */
  readonly byFormerId: Conversation | undefined;
}

/**
 * The conversation of a person, and the one that it takes in: if phone number and user id lead to two conversations, the
 * number's conversation continues the other. Undefined if the person has none yet.
 */
export function conversationOfPerson(
  person: WhatsAppPerson,
  { byPhone, byUserId, byFormerId }: KnownConversations,
): { kept: Conversation; other: Conversation | undefined } | undefined {
  const kept = byPhone ?? byFormerId ?? byUserId;
  if (!kept) return undefined;
  return {
    kept: {
      ...kept,
      phone: byPhone ? kept.phone : (person.phone ?? kept.phone),
      user_id: person.user_id ?? kept.user_id,
    },
    other: [byUserId, byFormerId].find((known) => known && known.id !== kept.id),
  };
}

/** Both conversations after one has taken in the other. The messages are moved later. */
export function merged(
  kept: Conversation,
  other: Conversation,
): { kept: Conversation; other: Conversation } {
  const isLater = other.last_message !== null && other.last_message_at >= kept.last_message_at;
  const last = kept.last_message === null || isLater ? other : kept;
  return {
    kept: {
      ...kept,
      name: kept.name ?? other.name,
      status: statuses.find((status) => [kept.status, other.status].includes(status)) ?? "open",
      assignee_id: kept.assignee_id ?? other.assignee_id,
      unread_count: kept.unread_count + other.unread_count,
      lead_id: kept.lead_id ?? other.lead_id,
      order_id: kept.order_id ?? other.order_id,
      last_message: last.last_message,
      last_message_at: last.last_message_at,
      reply_window_expires_at: latest(kept.reply_window_expires_at, other.reply_window_expires_at),
      merging: [...kept.merging, other.id],
    },
    other: {
      ...unlinked(other),
      phone: null,
      user_id: null,
      status: "resolved",
      assignee_id: null,
      unread_count: 0,
      last_message: null,
      reply_window_expires_at: null,
      merged_into: kept.id,
    },
  };
}

/** Of two statuses, the merged conversation has the one that asks for more. */
const statuses = ["open", "pending", "resolved"] as const;

const latest = (one: string | null, other: string | null): string | null =>
  (one ?? "") > (other ?? "") ? one : other;
