import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { moveMessages } from "#shared/application/inbox/move-messages.ts";
import { sendMessage } from "#shared/application/inbox/send-message.ts";
import { WhatsAppWork } from "#shared/queues/queue-messages.ts";
import { workInGroups } from "../work-in-groups.ts";

type WhatsAppShop = Shop<
  | "table"
  | "copyInboxFile"
  | "inboxFiles"
  | "log"
  | "mediaBaseUrl"
  | "now"
  | "whatsApp"
  | "whatsAppAccount"
>;

/**
 * Sends the WhatsApp messages of staff, in order within a conversation, and moves the messages of merged conversations.
 * A worker claims a message and sends it only while its state is `queued`, so a repeated delivery from the queue sends
 * nothing. WhatsApp has no idempotency keys. If WhatsApp's response is lost, the status webhook that follows changes the
 * state. A message is sent twice only after a crash or a timeout, if no status arrives before the next attempt. Marking
 * a message as sent before sending it could lose the message instead.
 */
export async function consume(
  { Records }: SQSEvent,
  shop: WhatsAppShop,
): Promise<SQSBatchResponse> {
  return workInGroups(Records, (record) => deliver(record, shop));
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function deliver(record: SQSRecord, shop: WhatsAppShop): Promise<boolean> {
  try {
    const work = WhatsAppWork.parse(JSON.parse(record.body));
    if (!("merged" in work)) return await sendMessage(work, shop);
    await moveMessages(work.merged, shop);
    return true;
  } catch (error) {
    // Only the error's name is logged, because the error's message may contain the text or the recipient.
    const reason = error instanceof Error ? error.name : "unknown";
    shop.log.warn("WhatsApp message not sent or moved: the queue retries it", {
      queue_message: record.messageId,
      reason,
    });
    return false;
  }
}
