import { type Conversation, unlinked } from "./conversation.ts";
import type { WhatsAppPerson } from "./whatsapp-number.ts";

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
