import { newId } from "#shared/domain/base/ids.ts";
import { newConversation, rewritten, withMessage } from "#shared/domain/inbox/conversation.ts";
import { receivedMessage } from "#shared/domain/inbox/message.ts";
import { addMessage, saveConversation } from "#shared/storage/inbox/inbox.ts";
import type { Table } from "#shared/storage/table.ts";

/** A stored conversation: a customer's message from a number, linked to an order. */
export async function aConversation(table: Table, phone: string, order_id: string) {
  const now = new Date();
  const started = newConversation(phone, { id: newId("conv", now), now });
  const received = { kind: "text", text: "Namaste", media: null, reply_to: null } as const;
  const message = receivedMessage(
    { ...received, at: now.toISOString(), whatsapp_id: `wamid.${started.id}` },
    { id: newId("msg", now), conversation_id: started.id },
  );
  const lead_id = newId("lead", now);
  const linked = { ...withMessage(started, message), name: "Ravi", order_id, lead_id };
  const conversation = rewritten(linked, now);
  await table.transact([...saveConversation(undefined, conversation), ...addMessage(message)]);
  return { conversation, message };
}
