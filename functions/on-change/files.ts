import type { SQSEvent } from "aws-lambda";
import { followMessageFile } from "#shared/application/inbox/fetch-message-file.ts";
import type { Shop } from "#shared/application/shop.ts";
import { removeFiles, settleUploadedFile } from "#shared/application/upload/settle-upload.ts";
import { limitPictureWork } from "#shared/files/make-picture.ts";
import { InboxFile, MediaMessage } from "#shared/queues/queue-messages.ts";
import { nameOfError, workInTurn } from "./work-through.ts";

// Messages are processed one after the other, because each picture may need much of the memory.

/**
 * Checks uploads and removes files without a record. Safe to repeat: a recorded outcome is final, and the files are
 * written under unique names before the outcome is recorded.
 */
export function onChangeMedia(
  { Records }: SQSEvent,
  shop: Shop<"table" | "fileKeeper" | "log" | "now" | "publishedFiles" | "quarantineFiles">,
) {
  limitPictureWork();
  return workInTurn(Records, {
    // S3 reports an upload.
    trigger: "upload",
    async work({ body }) {
      const message = MediaMessage.parse(JSON.parse(body));
      if ("gone" in message) return removeFiles(message.gone, shop);
      if (!("Records" in message)) return;
      for (const { s3 } of message.Records) await settleUploadedFile(s3.object, shop);
    },
    failed: (cause, message_id) =>
      shop.log.warn("Upload or media deletion not processed: the queue retries it", {
        message_id,
        cause,
      }),
  });
}

/**
 * Fetches customers' files from WhatsApp and stores those that can be shown; removes the files of messages that must no
 * longer keep them. Safe to repeat: the message's row determines the action, and a file is always stored under the same
 * key.
 */
export function onChangeInboxFiles(
  { Records }: SQSEvent,
  shop: Shop<"table" | "fetchWhatsAppFile" | "inboxFiles" | "log" | "whatsAppAccount">,
) {
  limitPictureWork();
  return workInTurn(Records, {
    work: ({ body }) => followMessageFile(InboxFile.parse(JSON.parse(body)), shop),
    // Only the error's name is logged, because a message may contain what the customer wrote.
    failed: (error, queue_message) =>
      shop.log.warn("WhatsApp file not processed: the queue retries it", {
        queue_message,
        reason: nameOfError(error),
      }),
  });
}
