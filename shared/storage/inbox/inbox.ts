import { namesOf } from "../../domain/base/members.ts";
import * as z from "zod";
import {
  Conversation,
  type ConversationStatus,
  type KnownConversations,
} from "../../domain/inbox/conversation.ts";
import {
  Message,
  type MessageKey,
  type MessageState,
  statesBefore,
} from "../../domain/inbox/message.ts";
import {
  type WhatsAppNumber,
  type WhatsAppPerson,
  accountPhone,
} from "../../domain/inbox/whatsapp-number.ts";
import { type Condition, either, is, isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, update } from "../writes.ts";

export const conversationPartition = (id: string) => `CONVERSATION#${id}`;
/** The index partition of conversations with a status, or of all conversations. */
export const inboxList = (status?: ConversationStatus) =>
  status === undefined ? "INBOX" : `INBOX#${status}`;

/**
 * All conversations are listed together and per status, each list sorted by the time of the last message. Merged ones are
 * not listed.
 */
export const Conversations = entity({
  name: "conversation",
  notExported: "personal",
  schema: Conversation,
  key: ({ id }: { id: string }) => ({ pk: conversationPartition(id), sk: "CONVERSATION" }),
  indexes: {
    gsi1: ({ status, ...conversation }) => placeIn(inboxList(status), conversation),
    gsi2: (conversation) => placeIn(inboxList(), conversation),
  },
  patterns: {
    gsi1: [["INBOX#<status>", "<last_message_at>#<id>"]],
    gsi2: [["INBOX", "<last_message_at>#<id>"]],
  },
});

function placeIn(
  list: string,
  {
    last_message_at,
    id,
    merged_into,
  }: Pick<Conversation, "last_message_at" | "id" | "merged_into">,
) {
  return merged_into === null ? { pk: list, sk: `${last_message_at}#${id}` } : undefined;
}

/** Gives each phone number one conversation, however WhatsApp or a person formats the number. */
export const ConversationPhones = entity({
  name: "conversation_phone",
  notExported: "derived",
  schema: z.object({ conversation_id: z.string() }),
  key: ({ phone }: { phone: WhatsAppNumber }) => ({
    pk: `CONVERSATIONPHONE#${accountPhone(phone)}`,
    sk: "CONVERSATION",
  }),
});

/** Finds the conversation of a person by WhatsApp's user id. */
export const ConversationUsers = entity({
  name: "conversation_user",
  notExported: "derived",
  schema: z.object({ conversation_id: z.string() }),
  key: ({ user_id }: { user_id: string }) => ({
    pk: `CONVERSATIONUSER#${user_id}`,
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

/** A conversation before and after a change; `before` is undefined for a new one. */
export interface ConversationChange {
  readonly before: Conversation | undefined;
  readonly after: Conversation;
}

/** Stores a conversation, if it is unchanged since it was read: see `saveConversations`. */
export const saveConversation = (before: Conversation | undefined, after: Conversation): Write[] =>
  saveConversations([{ before, after }]);

/**
 * Stores conversations, if they are unchanged since they were read, and updates the counters. Phone numbers and user ids
 * lead to the conversation that has them afterwards.
 */
export const saveConversations = (changes: readonly ConversationChange[]): Write[] => [
  ...changes.map(({ before, after }) =>
    put(Conversations, after, before ? is("version", before.version) : isNew),
  ),
  ...namesOfPeople(changes),
  ...countChanges(changes),
];

type Named = Conversation | undefined;

function namesOfPeople(changes: readonly ConversationChange[]): Write[] {
  return [
    ...nameChanges(changes, {
      nameOf: (conversation: Named) => conversation?.phone && accountPhone(conversation.phone),
      point: (phone, conversation_id, condition) =>
        put(ConversationPhones, { phone, conversation_id }, condition),
      release: (phone, condition) => remove(ConversationPhones, { phone }, condition),
    }),
    ...nameChanges(changes, {
      nameOf: (conversation: Named) => conversation?.user_id,
      point: (user_id, conversation_id, condition) =>
        put(ConversationUsers, { user_id, conversation_id }, condition),
      release: (user_id, condition) => remove(ConversationUsers, { user_id }, condition),
    }),
  ];
}

/** The writes to the rows that lead from one kind of name to a conversation. */
function nameChanges<Name extends string>(
  changes: readonly ConversationChange[],
  rows: {
    nameOf(conversation: Named): Name | null | undefined;
    point(name: Name, conversationId: string, condition: Condition): Write;
    release(name: Name, condition: Condition): Write;
  },
): Write[] {
  const ownersIn = (state: "before" | "after") =>
    new Map(
      changes.flatMap((change) => {
        const name = rows.nameOf(change[state]);
        return name ? [[name, change.after.id] as const] : [];
      }),
    );
  const [before, after] = [ownersIn("before"), ownersIn("after")];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, owner] = [before.get(name), after.get(name)];
    if (was === owner) return [];
    const condition = was === undefined ? isNew : is("conversation_id", was);
    return [
      owner === undefined ? rows.release(name, condition) : rows.point(name, owner, condition),
    ];
  });
}

function countChanges(changes: readonly ConversationChange[]): Write[] {
  const sum = (name: keyof Counts) =>
    changes.reduce(
      (total, { before, after }) => total + countsOf(after)[name] - countsOf(before)[name],
      0,
    );
  const add = Object.fromEntries(
    namesOf(countsOf(undefined))
      .map((name) => [name, sum(name)] as const)
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

/**
 * The conversation with this id, or the one that continues it. An id that staff still hold leads there.
 */
export async function readConversation(
  table: Pick<Table, "get">,
  { id }: { readonly id: string },
): Promise<Conversation | undefined> {
  const conversation = await table.get(Conversations, { id });
  const next = conversation?.merged_into ?? null;
  return next === null ? conversation : readConversation(table, { id: next });
}

/** A person as a message names them, with the user id that WhatsApp has replaced. */
export type SeenPerson = WhatsAppPerson & { readonly former_id: string | null };

export interface Inbox {
  /** The conversations of a person, and which of these messages are already stored. */
  readPerson(
    person: SeenPerson,
    whatsappIds: readonly string[],
  ): Promise<{ known: KnownConversations; stored: ReadonlySet<string> }>;
  readNumber(phone: WhatsAppNumber): Promise<Conversation | undefined>;
  /** The message with WhatsApp's id, if it was sent from this service. */
  keyOf(whatsappId: string): Promise<MessageKey | undefined>;
}

export function openInbox(table: Table): Inbox {
  const lookUp = async (
    { phone, user_id, former_id }: SeenPerson,
    whatsappIds: readonly string[],
  ): ReturnType<Inbox["readPerson"]> => {
    const userIds = [user_id, former_id].filter((id) => id !== null);
    const { phones, users, messages } = await table.getMany({
      phones: phone === null ? [] : [at(ConversationPhones, { phone })],
      users: userIds.map((id) => at(ConversationUsers, { user_id: id })),
      messages: whatsappIds.map((whatsapp_id) => at(WhatsAppMessages, { whatsapp_id })),
    });
    const ofUser = (id: string | null) =>
      id === null ? undefined : users[userIds.indexOf(id)]?.conversation_id;
    const ids = [phones[0]?.conversation_id, ofUser(user_id), ofUser(former_id)];
    const distinct = [...new Set(ids.filter((id) => id !== undefined))];
    const found = await Promise.all(distinct.map((id) => table.get(Conversations, { id })));
    const [byPhone, byUserId, byFormerId] = ids.map((id) => found.find((one) => one?.id === id));
    return {
      known: { byPhone, byUserId, byFormerId },
      stored: new Set(whatsappIds.filter((_id, position) => messages[position])),
    };
  };
  return {
    readPerson: lookUp,
    readNumber: async (phone) =>
      (await lookUp({ phone, user_id: null, former_id: null }, [])).known.byPhone,
    keyOf: (whatsapp_id) => table.get(WhatsAppMessages, { whatsapp_id }),
  };
}
