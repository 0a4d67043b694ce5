import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  patchConversation,
  startConversation,
} from "#shared/application/inbox/save-conversation.ts";
import {
  type Conversation,
  ConversationPatch,
  ConversationStatus,
  AdminConversation,
} from "#shared/domain/inbox/conversation.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { staffNames } from "#shared/storage/enquiry/enquiries.ts";
import { Conversations, readConversation } from "#shared/storage/inbox/inbox.ts";
import type { Table } from "#shared/storage/table.ts";
import { findConversations } from "./find-conversations.ts";
import { SearchWords } from "#shared/domain/base/machine-text.ts";
import { TemplateCall } from "#shared/domain/inbox/message.ts";
import { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";

const Filters = CursorPage.extend({
  status: ConversationStatus.optional(),
  assignee: z
    .union([z.enum(["me", "none"]), Id("stf")])
    .optional()
    .meta({ description: "Id of a staff user, `me` or `none`" }),
  q: SearchWords(100).optional().meta({ description: "Part of the name or of the phone number" }),
});

async function adminConversations(table: Table, conversations: readonly Conversation[]) {
  const nameOf = await staffNames(
    table,
    conversations.map(({ assignee_id }) => assignee_id),
  );
  return conversations.map(({ assignee_id, ...conversation }) => ({
    ...conversation,
    assignee: assignee_id === null ? null : nameOf(assignee_id),
  }));
}

async function answerOf(table: Table, conversation: Conversation) {
  const [data] = await adminConversations(table, [conversation]);
  return { data: orNotFound(data), version: conversation.version };
}

export const listConversations = listRoute({
  path: "/admin/inbox/conversations",
  summary: "List conversations, most recent message first",
  description: "With `assignee` or `q`, pages may be shorter than `per_page`.",
  access: staff("inbox.view"),
  query: Filters,
  row: AdminConversation,
  list({ query: { status, assignee, q }, actor }, shop: Shop<"table" | "settings", "store">) {
    const wanted = assignee === "me" && actor.kind === "staff" ? actor.id : assignee;
    return findConversations(shop, { status, assignee: wanted, q });
  },
  shown: (conversations, _call, { table }) => adminConversations(table, conversations),
});

export const getConversation = route({
  method: "GET",
  path: "/admin/inbox/conversations/{id}",
  summary: "Get a conversation",
  description: "Includes the linked lead and order, but no messages.",
  access: staff("inbox.view"),
  request: { params: byId },
  response: { status: 200, data: AdminConversation },
  first: ({ params }, { table }: Shop<"table">) => table.get(Conversations, params),
  handle: async ({ first }, { table }) => answerOf(table, orNotFound(first)),
});

export const changeConversation = route({
  method: "PATCH",
  path: "/admin/inbox/conversations/{id}",
  summary: "Update a conversation",
  description:
    "Assigns or resolves the conversation, links it to a lead or an order, or marks it read. Each incoming message raises " +
    "the version: with `If-Match`, the call returns 412 if a message has arrived since.",
  access: staff("inbox.reply"),
  request: {
    params: byId,
    headers: ifMatch,
    body: ConversationPatch.meta({ example: { status: "resolved", unread_count: 0 } }),
  },
  response: { status: 200, data: AdminConversation },
  errors: ["version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => readConversation(table, params),
  async handle(call, { table }) {
    return answerOf(table, await patchConversation(call, call.first, table));
  },
});

export const createConversation = route({
  method: "POST",
  path: "/admin/inbox/conversations",
  summary: "Start a conversation",
  description:
    "Sends a template to a number that has not written before. WhatsApp accepts only approved " +
    "templates until the customer answers. Write only to people who have agreed to be contacted. " +
    "If a conversation with the number exists, returns 409 with the conversation's id in `details.id`.",
  access: staff("inbox.reply"),
  idempotent: true,
  request: {
    body: z.strictObject({ phone: WhatsAppNumber, template: TemplateCall }).meta({
      example: {
        phone: "+919812345678",
        template: { name: "order_ready", language: "en", parameters: ["FS-7K3M-92QX-4HT8"] },
      },
    }),
  },
  response: { status: 201, data: AdminConversation },
  errors: ["already_exists"],
  async handle(call, { table }: Shop<"table">) {
    return startConversation(call, table, (created) => answerOf(table, created));
  },
});

export const routes = [listConversations, createConversation, getConversation, changeConversation];
