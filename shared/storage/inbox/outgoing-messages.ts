import type { Message, MessagePlace } from "../../domain/inbox/message.ts";
import { below, either, every, is, isNot } from "../conditions.ts";
import { recordOf } from "../entity.ts";
import { Messages, type MessageNews, advanceMessage, nameMessage } from "./inbox.ts";
import type { Table } from "../table.ts";
import { Refused, type Write, unlessRefused, update } from "../writes.ts";

/** Longer than the consumer may run: a claim held beyond it belongs to a worker that died. */
const claimMs = 60_000;

/**
 * The result of an attempt to claim a message: `settled` needs no more work; `busy` means that another worker holds
 * the claim.
 */
export type MessageClaim =
  | { readonly kind: "claimed"; readonly message: Message }
  | { readonly kind: "settled" }
  | { readonly kind: "busy" };

export interface OutgoingMessages {
  /** Claims a queued message for one minute. */
  claim(place: MessagePlace, now: Date): Promise<MessageClaim>;
  /** Releases the claim, so that the next attempt can start before the claim expires. */
  release(message: Message): Promise<void>;
  /** Records that WhatsApp accepted the message, and its id there. */
  sent(message: Message, whatsappId: string, now: Date): Promise<void>;
  /** Records that the message will never be sent. A delivered message stays delivered. */
  failed(message: Message, failure: NonNullable<Message["failure"]>, now: Date): Promise<void>;
}

export function openOutgoingMessages(table: Table): OutgoingMessages {
  return {
    async claim(place, now) {
      const free = either(is("claimed_until", null), below("claimed_until", now.toISOString()));
      const set = { claimed_until: new Date(now.getTime() + claimMs).toISOString() };
      try {
        const row = await table.write(
          update(
            Messages,
            place,
            { set, add: { attempts: 1 } },
            every(is("state", "queued"), free),
          ),
        );
        return { kind: "claimed", message: recordOf(Messages, row ?? {}) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const waits = error.failures[0]?.conflictingItem?.["state"] === "queued";
        return { kind: waits ? "busy" : "settled" };
      }
    },
    async release(message) {
      const own = is("claimed_until", message.claimed_until);
      await unlessRefused(
        table.write(update(Messages, message, { set: { claimed_until: null } }, own)),
      );
    },
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
