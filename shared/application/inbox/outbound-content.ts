import type { Shop } from "#shared/application/shop.ts";
import type { Conversation, ConversationPatch } from "#shared/domain/inbox/conversation.ts";
import { fileToSend } from "#shared/domain/inbox/message-media.ts";
import {
  MessageText,
  type NewMessage,
  type OutboundContent,
} from "#shared/domain/inbox/message.ts";
import { type ReplyVariable, filledIn, openIn } from "#shared/domain/inbox/quick-reply.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { MediaItems } from "#shared/storage/upload/media.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { QuickReplies } from "#shared/storage/inbox/quick-replies.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { is, present } from "#shared/storage/conditions.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { type TransactionWrite, type Write, check } from "#shared/storage/writes.ts";

/**
 * The content of a new message, with the variables of a quick reply filled in.
 *
 * @param author id of the staff user who writes
 * @throws AppError `validation_failed` on `quick_reply_id` when it does not exist, one of its variables has no
 *   value, or the text is too long; on `media_id` when it does not exist, is not ready, or WhatsApp does not accept
 *   it
 */
export async function outboundContent(
  message: NewMessage,
  conversation: Conversation,
  author: string,
  shop: Shop<"table" | "settings", "store">,
): Promise<OutboundContent> {
  if ("media_id" in message) return fileContent(message, shop);
  if (!("quick_reply_id" in message)) return message;
  const reply = await shop.table.get(QuickReplies, { id: message.quick_reply_id });
  if (!reply) throw invalidField("quick_reply_id", "The selected quick reply id is invalid.");
  const values: Partial<Record<ReplyVariable, string | null>> = {};
  for (const name of openIn(reply.text)) {
    values[name] = await valueOf(name, conversation, author, shop);
  }
  const filled = filledIn(reply.text, values);
  if ("text" in filled) {
    if (MessageText.safeParse(filled.text).success) return filled;
    throw invalidField(
      "quick_reply_id",
      "With its variables filled in, this quick reply is too long for a message.",
    );
  }
  const names = filled.missing.map((name) => name.replaceAll("_", " ")).join(", ");
  throw invalidField("quick_reply_id", `This conversation has no value for ${names}.`);
}

async function fileContent(
  { media_id, caption = "" }: Extract<NewMessage, { media_id: string }>,
  { table }: Shop<"table" | "settings", "store">,
): Promise<OutboundContent> {
  const item = await table.get(MediaItems, { id: media_id });
  const file = fileToSend(item, caption === "" ? null : caption);
  if ("problem" in file) throw invalidField("media_id", file.problem);
  return { file };
}

async function valueOf(
  name: ReplyVariable,
  { name: customer, order_id }: Conversation,
  author: string,
  { table, settings }: Shop<"table" | "settings", "store">,
): Promise<string | null> {
  switch (name) {
    case "customer_name":
      return customer;
    case "agent_name":
      return (await table.get(Staff, { id: author }))?.name ?? null;
    case "store_name":
      return (await settings.current()).store.name;
    case "order_number":
      return order_id === null
        ? null
        : ((await table.get(Orders, { id: order_id }))?.number ?? null);
  }
}

/**
 * Returns condition checks for the transaction that stores a patch: the lead and the order must exist, and the assignee
 * must be active. Otherwise the transaction throws AppError `validation_failed` on the field.
 */
export function referenceChecks({
  assignee,
  lead_id,
  order_id,
}: ConversationPatch): TransactionWrite[] {
  const exists = present("pk");
  const checked = (field: string, write: Write) => ({
    write,
    refused: () => invalidField(field, `The selected ${field.replaceAll("_", " ")} is invalid.`),
  });
  return [
    ...(assignee
      ? [checked("assignee", check(Staff, { id: assignee }, is("status", "active")))]
      : []),
    ...(lead_id ? [checked("lead_id", check(Leads, { id: lead_id }, exists))] : []),
    ...(order_id ? [checked("order_id", check(Orders, { id: order_id }, exists))] : []),
  ];
}
