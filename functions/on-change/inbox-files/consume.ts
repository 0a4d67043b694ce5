import { limitPictureWork } from "#shared/files/make-picture.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { followMessageFile } from "#shared/application/inbox/fetch-message-file.ts";
import { InboxFile } from "#shared/queues/queue-messages.ts";
import { becauseOf } from "#shared/runtime/cause.ts";

type InboxFilesShop = Shop<
  "table" | "fetchWhatsAppFile" | "inboxFiles" | "log" | "whatsAppAccount"
>;

/**
 * Fetches customers' files from WhatsApp and stores those that can be shown; removes the files of messages that must no
 * longer keep them. Safe to repeat: the message's row determines the action, and a file is always stored under the same
 * key.
 */
export async function consume(
  { Records }: SQSEvent,
  shop: InboxFilesShop,
): Promise<SQSBatchResponse> {
  limitPictureWork();
  const failed: string[] = [];
  // The messages are processed one after the other, because each picture may need much of the memory.
  for (const record of Records) {
    if (!(await becauseOf(record, () => follow(record, shop)))) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function follow({ messageId, body }: SQSRecord, shop: InboxFilesShop): Promise<boolean> {
  try {
    await followMessageFile(InboxFile.parse(JSON.parse(body)), shop);
    return true;
  } catch (error) {
    // The log gets only the error's name, because a message may contain what the customer wrote.
    const reason = error instanceof Error ? error.name : "unknown";
    shop.log.warn("WhatsApp file not processed: the queue retries it", {
      queue_message: messageId,
      reason,
    });
    return false;
  }
}
