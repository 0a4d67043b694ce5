import { namesOf } from "../../domain/base/members.ts";
import * as z from "zod";
import { Conversation, type ConversationStatus } from "../../domain/inbox/conversation.ts";
import {
  Message,
  type MessageKey,
  type MessageState,
  statesBefore,
} from "../../domain/inbox/message.ts";
import { type WhatsAppNumber, whatsAppAccount } from "../../domain/inbox/whatsapp-number.ts";
import { either, is, isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put, update } from "../writes.ts";

export const conversationPartition = (id: string) => `CONVERSATION#${id}`;
/** The index partition of conversations with a status, or of all conversations. */
export const inboxList = (status?: ConversationStatus) =>
  status === undefined ? "INBOX" : `INBOX#${status}`;

/** All conversations are listed together and per status, each list sorted by the time of the last message. */
export const Conversations = entity({
  name: "conversation",
  notExported: "personal",
  schema: Conversation,
  key: ({ id }: { id: string }) => ({ pk: conversationPartition(id), sk: "CONVERSATION" }),
  indexes: {
    gsi1: ({ status, last_message_at, id }) => ({
      pk: inboxList(status),
      sk: `${last_message_at}#${id}`,
    }),
    gsi2: ({ last_message_at, id }) => ({ pk: inboxList(), sk: `${last_message_at}#${id}` }),
  },
});

/** Gives each phone number one conversation, however WhatsApp or a person formats the number. */
export const ConversationPhones = entity({
  name: "conversation_phone",
  notExported: "derived",
  schema: z.object({ conversation_id: z.string() }),
  key: ({ phone }: { phone: WhatsAppNumber }) => ({
    pk: `CONVERSATIONPHONE#${whatsAppAccount(phone)}`,
    sk: "CONVERSATION",
  }),
});

/** Messages are sorted by id, and therefore by time. */
export const messagePrefix = "MESSAGE#";
export const Messages = entity({
  name: "message",
  notExported: "personal",
  schema: Message,
  key: ({ conversation_id, id }: MessageKey) => ({
    pk: conversationPartition(conversation_id),
    sk: `${messagePrefix}${id}`,
  }),
});

/** Finds a message by WhatsApp's id, and makes sure that each message is stored once. */
export const WhatsAppMessages = entity({
  name: "whatsapp_message",
  notExported: "transient",
  schema: z.object({ conversation_id: z.string(), id: z.string() }),
  key: ({ whatsapp_id }: { whatsapp_id: string }) => ({
    pk: `WHATSAPP#${whatsapp_id}`,
    sk: "MESSAGE",
  }),
});

/** The numbers of unread, open and pending conversations, for the dashboard. */
export const InboxCounters = entity({
  name: "inbox_counters",
  notExported: "derived",
  schema: z.object({
    // Updates add only to counters that change, so other counters may be absent.
    unread: z.int().min(0).default(0),
    open: z.int().min(0).default(0),
    pending: z.int().min(0).default(0),
  }),
  key: (_id: object) => ({ pk: "INBOX", sk: "COUNTERS" }),
});
type Counts = z.output<typeof InboxCounters.schema>;

/**
 * Stores a conversation, if it is unchanged since it was read, and updates the counters.
 *
 * @param before undefined for a new conversation, which also claims its phone number
 */
export function saveConversation(before: Conversation | undefined, after: Conversation): Write[] {
  const { phone, id } = after;
  return [
    put(Conversations, after, before ? is("version", before.version) : isNew),
    ...(before ? [] : [put(ConversationPhones, { phone, conversation_id: id }, isNew)]),
    ...countChange(before, after),
  ];
}

function countChange(before: Conversation | undefined, after: Conversation): Write[] {
  const [was, is] = [countsOf(before), countsOf(after)];
  const add = Object.fromEntries(
    namesOf(is)
      .map((name) => [name, is[name] - was[name]] as const)
      .filter(([, difference]) => difference !== 0),
  );
  if (Object.keys(add).length === 0) return [];
  return [update(InboxCounters, {}, { add, set: { entity: InboxCounters.name } })];
}

const countsOf = (conversation: Conversation | undefined): Counts => ({
  unread: conversation && conversation.unread_count > 0 ? 1 : 0,
  open: conversation?.status === "open" ? 1 : 0,
  pending: conversation?.status === "pending" ? 1 : 0,
});

/** Stores a new message. */
export const addMessage = (message: Message): Write[] => [
  put(Messages, message, isNew),
  ...(message.whatsapp_id === null ? [] : [nameMessage(message, message.whatsapp_id)]),
];

/** Stores WhatsApp's id of a message. The write is refused if the id belongs to another message. */
export const nameMessage = ({ conversation_id, id }: MessageKey, whatsapp_id: string): Write =>
  put(WhatsAppMessages, { whatsapp_id, conversation_id, id }, either(isNew, is("id", id)));

/** A status update for a message that staff sent. */
export interface MessageNews {
  readonly state: MessageState;
  readonly at: string;
  readonly failure?: Message["failure"];
}

/**
 * Advances a message's state. The write is refused if the message does not exist, or has already reached this state or
 * a later one.
 */
export function advanceMessage(
  key: MessageKey,
  { state, at, failure = null }: MessageNews,
  further: { whatsapp_id?: string } = {},
): Write {
  return update(
    Messages,
    key,
    { set: { state, [`${state}_at`]: at, failure, claimed_until: null, ...further } },
    either(...statesBefore(state).map((before) => is("state", before))),
  );
}

/** Records the time of a state that the message has already passed. */
export const dateMessage = (key: MessageKey, { state, at }: MessageNews): Write =>
  update(Messages, key, { set: { [`${state}_at`]: at } }, present("pk"));

export interface Inbox {
  /** The conversation of a number, and which of these messages are already stored. */
  readNumber(
    phone: WhatsAppNumber,
    whatsappIds: readonly string[],
  ): Promise<{ conversation: Conversation | undefined; stored: ReadonlySet<string> }>;
  /** The message with WhatsApp's id, if it was sent from this service. */
  keyOf(whatsappId: string): Promise<MessageKey | undefined>;
}

export function openInbox(table: Table): Inbox {
  return {
    async readNumber(phone, whatsappIds) {
      const { phones, messages } = await table.getMany({
        phones: [at(ConversationPhones, { phone })],
        messages: whatsappIds.map((whatsapp_id) => at(WhatsAppMessages, { whatsapp_id })),
      });
      const stored = new Set(whatsappIds.filter((_id, position) => messages[position]));
      const id = phones[0]?.conversation_id;
      const conversation = id === undefined ? undefined : await table.get(Conversations, { id });
      return { conversation, stored };
    },
    keyOf: (whatsapp_id) => table.get(WhatsAppMessages, { whatsapp_id }),
  };
}
