import type { Message, MessageKey } from "../../domain/inbox/message.ts";
import { type Claim, claim, releaseClaim } from "../claims.ts";
import { isNot } from "../conditions.ts";
import { Messages, type MessageNews, advanceMessage, nameMessage } from "./inbox.ts";
import type { Table } from "../table.ts";
import { type Write, unlessRefused, update } from "../writes.ts";

export interface OutgoingMessages {
  /** Claims a queued message for one minute. */
  claim(key: MessageKey, now: Date): Promise<Claim<Message>>;
  /** Releases the claim, so that the next attempt can start before the claim expires. */
  release(message: Message): Promise<void>;
  /** Records that WhatsApp accepted the message, and WhatsApp's id for it. */
  sent(message: Message, whatsappId: string, now: Date): Promise<void>;
  /** Records that the message will never be sent. A delivered message stays delivered. */
  failed(message: Message, failure: NonNullable<Message["failure"]>, now: Date): Promise<void>;
}

export function openOutgoingMessages(table: Table): OutgoingMessages {
  return {
    claim: (key, now) => claim(table, Messages, key, { state: "queued", now }),
    release: (message) => releaseClaim(table, Messages, message),
    async sent(message, whatsapp_id, now) {
      const named = nameMessage(message, whatsapp_id);
      const news: MessageNews = { state: "sent", at: now.toISOString() };
      const isStored = await unlessRefused(
        table.transact([advanceMessage(message, news, { whatsapp_id }), named]),
      );
      // A status webhook arrived first and has moved the message beyond sent.
      if (!isStored) await unlessRefused(table.transact([noteId(message, whatsapp_id), named]));
    },
    async failed(message, failure, now) {
      const news: MessageNews = { state: "failed", at: now.toISOString(), failure };
      await unlessRefused(table.write(advanceMessage(message, news)));
    },
  };
}

const noteId = (message: Message, whatsapp_id: string): Write =>
  update(
    Messages,
    message,
    { set: { whatsapp_id, claimed_until: null } },
    isNot("state", "queued"),
  );
