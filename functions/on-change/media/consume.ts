import { limitPictureWork } from "#shared/files/make-picture.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { removeFiles, settleUploadedFile } from "#shared/application/upload/settle-upload.ts";
import { MediaMessage } from "#shared/queues/queue-messages.ts";
import { because, causeOfMessage } from "#shared/runtime/cause.ts";

type MediaShop = Shop<
  "table" | "fileKeeper" | "log" | "now" | "publishedFiles" | "quarantineFiles"
>;

/**
 * Checks uploads and removes files without a record. Safe to repeat: a recorded outcome is final, and the files are
 * written under unique names before the outcome is recorded.
 */
export async function consume({ Records }: SQSEvent, shop: MediaShop): Promise<SQSBatchResponse> {
  limitPictureWork();
  const failed: string[] = [];
  // The messages are processed one after the other, because each picture may need much of the memory.
  for (const record of Records) {
    // Messages from S3 name no cause, so the rows that they change record `upload` as the cause.
    const cause = causeOfMessage(record) ?? { trigger: "upload" };
    if (!(await because(cause, () => take(record, shop)))) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function take({ messageId, body }: SQSRecord, shop: MediaShop): Promise<boolean> {
  try {
    await work(MediaMessage.parse(JSON.parse(body)), shop);
    return true;
  } catch (cause) {
    shop.log.warn("Upload or media deletion not processed: the queue retries it", {
      message_id: messageId,
      cause,
    });
    return false;
  }
}

async function work(
  message: MediaMessage,
  shop: Shop<"table" | "fileKeeper" | "now" | "publishedFiles" | "quarantineFiles">,
): Promise<void> {
  if ("gone" in message) return removeFiles(message.gone, shop);
  if (!("Records" in message)) return;
  for (const { s3 } of message.Records) await settleUploadedFile(s3.object, shop);
}
