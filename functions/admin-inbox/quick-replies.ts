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
    create: "All staff who may reply can use the quick reply.",
    get: "Includes the `version` that `If-Match` accepts.",
    replace: "Messages sent earlier do not change.",
    change: "Omitted members do not change.",
    remove: "Messages sent earlier do not change.",
  },
  list: {
    summary: "List quick replies, oldest first",
    description:
      "Quick replies are prepared texts. Their variables are filled in when a message is sent.",
    entity: QuickReplies,
    partition: quickReplyPartition,
  },
  store: rowStore({ entity: QuickReplies, prefix: "qr", labelOf: ({ title }) => title }),
});
