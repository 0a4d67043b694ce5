import { isDeepStrictEqual } from "node:util";
import { rewritten, unlinked } from "../../domain/inbox/conversation.ts";
import type { WhatsAppNumber } from "../../domain/inbox/whatsapp-number.ts";
import { Conversations, openInbox, saveConversation } from "./inbox.ts";
import { removeReceivedFiles } from "./message-files.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import type { Table } from "../table.ts";

/**
 * Removes the customer's identity and received files from a number's conversation. The texts stay. May be repeated.
 */
export async function unlinkConversation(
  table: Table,
  phone: WhatsAppNumber,
  now: Date,
): Promise<void> {
  const conversation = await openInbox(table).readNumber(phone);
  if (!conversation) return;
  // Messages that are being moved to the conversation come first: those moved meanwhile are found there.
  for (const id of [...conversation.merging, conversation.id]) await removeReceivedFiles(table, id);
  const read = () => table.get(Conversations, conversation);
  await retryOnConflict(conversation, read, async (before) => {
    if (!before || isDeepStrictEqual(unlinked(before), before)) return;
    await table.transact(saveConversation(before, rewritten(unlinked(before), now)));
  });
}
