import type { Message, MessagePlace } from "../../domain/inbox/message.ts";
import type { FileOutcome, MessageMedia } from "../../domain/inbox/message-media.ts";
import { is } from "../conditions.ts";
import { Messages, conversationPartition, messagePrefix } from "./inbox.ts";
import type { Table } from "../table.ts";
import { type Write, unlessRefused, update } from "../writes.ts";

/** Where the file of a customer's message lies in the inbox's bucket: known before it is stored, so that it can always be removed. */
export const fileKey = ({ conversation_id, id }: MessagePlace): string =>
  `${conversation_id}/${id}`;

/** Records what became of a file. Refused unless it is pending. */
export const settleFile = (
  message: MessagePlace,
  media: MessageMedia,
  outcome: FileOutcome,
): Write =>
  update(
    Messages,
    message,
    { set: { media: { ...media, reason: null, ...outcome } } },
    is("media.status", "pending"),
  );

/**
 * Marks every file that a customer sent as removed, whether it has been fetched or not. The reader of the table's
 * stream has the objects removed.
 */
export async function removeReceivedFiles(table: Table, conversationId: string): Promise<void> {
  let after: Record<string, unknown> | undefined;
  do {
    const { records, next } = await table.query(Messages, {
      partition: conversationPartition(conversationId),
      prefix: messagePrefix,
      limit: 100,
      after,
    });
    for (const message of records.filter(hasFile)) await removeFile(table, message);
    after = next;
  } while (after);
}

const hasFile = ({ direction, media }: Message): boolean =>
  direction === "inbound" && (media?.status === "pending" || media?.status === "ready");

/** In two attempts: a file that was pending when it was read may have become ready. */
async function removeFile(table: Table, message: Message): Promise<void> {
  for (const status of ["pending", "ready"]) {
    const set = { "media.status": "removed" };
    await unlessRefused(
      table.write(update(Messages, message, { set }, is("media.status", status))),
    );
  }
}
