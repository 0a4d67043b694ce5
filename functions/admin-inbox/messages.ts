import type { Shop } from "#shared/application/shop.ts";
import { queueMessage } from "#shared/application/inbox/save-conversation.ts";
import { AdminMessage, NewMessage } from "#shared/domain/inbox/message.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { byId } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { route, staff } from "#shared/http/route.ts";
import {
  Messages,
  conversationPartition,
  messagePrefix,
  readConversation,
} from "#shared/storage/inbox/inbox.ts";
import { adminMessages } from "./admin-messages.ts";

export const listMessages = listRoute({
  path: "/admin/inbox/conversations/{id}/messages",
  summary: "List the messages of a conversation, newest first",
  description:
    "A picture, PDF or video from the customer is fetched from WhatsApp within seconds; " +
    "`media.url` is then a link valid for 15 minutes. Metadata is removed from pictures.",
  access: staff("inbox.view"),
  params: byId,
  row: AdminMessage,
  async list({ params }, { table }: Shop<"table" | "linkToInboxFile" | "publicFilesUrl">) {
    const { id } = orNotFound(await readConversation(table, params));
    const partition = conversationPartition(id);
    const range = { partition, prefix: messagePrefix, newestFirst: true };
    return { range, page: (at) => table.page(Messages, range, at) };
  },
  shown: (messages, { now }, shop) => adminMessages(messages, shop, now),
});

export const sendMessage = route({
  method: "POST",
  path: "/admin/inbox/conversations/{id}/messages",
  summary: "Send a message to the customer",
  description:
    "The message is `queued`, sent within seconds, and then becomes `delivered` and " +
    "`read`, or `failed` with a reason. `media_id` sends a JPEG, PNG or PDF of the media " +
    "library with a caption. Once the customer's last message is 24 hours old, WhatsApp " +
    "accepts only templates.",
  access: staff("inbox.reply"),
  idempotent: true,
  request: { params: byId, body: NewMessage },
  response: { status: 201, data: AdminMessage },
  errors: ["session_window_closed"],
  first: (
    { params },
    { table }: Shop<"table" | "linkToInboxFile" | "publicFilesUrl" | "settings", "store">,
  ) => readConversation(table, params),
  async handle(call, shop) {
    return queueMessage(call, call.first, shop, async (message) => {
      const [data] = await adminMessages([message], shop, call.now);
      return { data: orNotFound(data) };
    });
  },
});

export const routes = [listMessages, sendMessage];
