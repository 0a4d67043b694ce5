import type { Shop } from "#shared/application/shop.ts";
import type { Message } from "#shared/domain/inbox/message.ts";
import { rewritten } from "#shared/domain/inbox/conversation.ts";
import { is } from "#shared/storage/conditions.ts";
import {
  Conversations,
  Messages,
  addMessage,
  conversationPartition,
  messagePrefix,
  readConversation,
  saveConversation,
} from "#shared/storage/inbox/inbox.ts";
import { messageFileKey, isMediaUnchanged } from "#shared/storage/inbox/message-files.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { Refused, check, remove } from "#shared/storage/writes.ts";

type MoveMessagesShop = Shop<"table" | "copyInboxFile" | "inboxFiles" | "now">;

/** Each message has three writes in a transaction. */
const batchSize = 30;

/**
 * Moves the messages of a merged conversation, with their files, to the conversation that continues it. May be
 * interrupted and repeated.
 *
 * @param id of the merged conversation
 * @throws Refused when a message changes meanwhile, or the other conversation is merged too; another attempt helps
 */
export async function moveMessages(id: string, shop: MoveMessagesShop): Promise<void> {
  const { table, now } = shop;
  const target = await readConversation(table, { id });
  if (!target || target.id === id) return;
  for (;;) {
    const { records } = await table.page(
      Messages,
      { partition: conversationPartition(id), prefix: messagePrefix },
      { limit: batchSize },
    );
    if (records.length === 0) break;
    await moveBatch(records, target.id, shop);
  }
  const read = () => table.get(Conversations, { id: target.id });
  await retryOnConflict(target, read, async (before) => {
    if (!before?.merging.includes(id)) return;
    const merging = before.merging.filter((one) => one !== id);
    await table.transact(saveConversation(before, rewritten({ ...before, merging }, now())));
  });
}

async function moveBatch(
  messages: readonly Message[],
  conversation_id: string,
  { table, inboxFiles: files, copyInboxFile: copyFile }: MoveMessagesShop,
): Promise<void> {
  const stored = messages.filter(
    ({ direction, media }) => direction === "inbound" && media?.status === "ready",
  );
  // The consumer of files deletes the file of a message that is gone, so the file is copied before.
  await Promise.all(
    stored.map((message) =>
      copyFile(messageFileKey(message), messageFileKey({ ...message, conversation_id })),
    ),
  );
  try {
    await table.transact([
      check(Conversations, { id: conversation_id }, is("merged_into", null)),
      ...messages.flatMap((message) => [
        remove(Messages, message, isMediaUnchanged(message)),
        ...addMessage({ ...message, conversation_id }),
      ]),
    ]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await Promise.all(
      stored.map((one) => files.remove(messageFileKey({ ...one, conversation_id }))),
    );
    throw error;
  }
}
