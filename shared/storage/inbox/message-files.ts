import type { Message, MessageKey } from "../../domain/inbox/message.ts";
import type { FileOutcome, MessageMedia } from "../../domain/inbox/message-media.ts";
import { type Condition, every, is } from "../conditions.ts";
import { Messages, conversationPartition, messagePrefix } from "./inbox.ts";
import type { Table } from "../table.ts";
import { type Write, unlessRefused, update } from "../writes.ts";

/**
 * The object key of a received file in the inbox bucket. It is derived from the message, so the object can be removed
 * even if the message does not say yet that it was stored.
 */
export const messageFileKey = ({ conversation_id, id }: MessageKey): string =>
  `${conversation_id}/${id}`;

/** Records the result of fetching a file. The write is refused unless the file is pending. */
export const settleFile = (message: MessageKey, media: MessageMedia, outcome: FileOutcome): Write =>
  update(
    Messages,
    message,
    { set: { media: { ...media, reason: null, ...outcome } } },
    is("media.status", "pending"),
  );

/** The condition that a message is as it was read: its state, and the state of its file. */
export const isMediaUnchanged = ({ state, media }: Message): Condition =>
  every(is("state", state), ...(media?.status ? [is("media.status", media.status)] : []));

/**
 * Sets the status `removed` on every file that the customer sent in a conversation, whether or not it was fetched. A
 * consumer of the table's stream deletes the objects.
 */
export async function removeReceivedFiles(table: Table, conversationId: string): Promise<void> {
  let after: Record<string, unknown> | undefined;
  do {
    const { records, next } = await table.page(
      Messages,
      { partition: conversationPartition(conversationId), prefix: messagePrefix },
      { limit: 100, after },
    );
    for (const message of records.filter(hasFile)) await removeFile(table, message);
    after = next;
  } while (after);
}

const hasFile = ({ direction, media }: Message): boolean =>
  direction === "inbound" && (media?.status === "pending" || media?.status === "ready");

/** Tries both states, because a file that was read as pending may have become ready. */
async function removeFile(table: Table, message: Message): Promise<void> {
  for (const status of ["pending", "ready"]) {
    const set = { "media.status": "removed" };
    await unlessRefused(
      table.write(update(Messages, message, { set }, is("media.status", status))),
    );
  }
}
