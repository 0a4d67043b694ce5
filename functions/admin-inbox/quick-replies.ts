import { recordRoutes } from "#functions/record-routes.ts";
import { rowStore } from "#shared/application/record-store.ts";
import { QuickReply, QuickReplyInput } from "#shared/domain/inbox/quick-reply.ts";
import { QuickReplies, quickReplyPartition } from "#shared/storage/inbox/quick-replies.ts";

export const routes = recordRoutes({
  path: "/admin/inbox/quick-replies",
  one: "a quick reply",
  permissions: { view: "inbox.view", edit: "inbox.reply" },
  record: QuickReply,
  input: QuickReplyInput,
  examples: {
    record: {
      title: "On its way",
      text: "Hello {{customer_name}}, your order {{order_number}} is on its way.",
    },
    patch: { title: "On its way" },
  },
  descriptions: {
    create: "All staff who may reply can use it.",
    get: "By id, with the `version` that `If-Match` accepts.",
    replace: "Messages that were sent with it stay as they are.",
    change: "Members that are left out stay as they are.",
    remove: "Messages that were sent with it stay as they are.",
  },
  list: {
    summary: "List quick replies, oldest first",
    description: "Prepared replies. Variables in them are filled in when a message is sent.",
    entity: QuickReplies,
    partition: quickReplyPartition,
  },
  store: rowStore({ entity: QuickReplies, prefix: "qr", labelOf: ({ title }) => title }),
});
