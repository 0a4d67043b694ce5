import * as z from "zod";
import {
  type Conversation,
  isWindowOpen,
  rewritten,
  withMessage,
} from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type Message,
  AdminMessage,
  NewMessage,
  queuedMessage,
} from "#shared/domain/inbox/message.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { byId } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import {
  Conversations,
  Messages,
  addMessage,
  conversationPartition,
  messagePrefix,
  saveConversation,
} from "#shared/storage/inbox/inbox.ts";
import type { Write } from "#shared/storage/writes.ts";
import { targetOf } from "./conversations.ts";
import type { Deps } from "./deps.ts";
import { adminMessages } from "./admin-messages.ts";
import { contentOf } from "./outbound-content.ts";

export const listMessages = route({
  method: "GET",
  path: "/admin/inbox/conversations/{id}/messages",
  summary: "List the messages of a conversation, newest first",
  description:
    "A picture, PDF or video from the customer is fetched from WhatsApp within seconds; " +
    "`media.url` is then a link valid for 15 minutes. Metadata is removed from pictures.",
  access: staff("inbox.view"),
  request: { params: byId, query: CursorPage },
  response: { status: 200, data: z.array(AdminMessage), meta: CursorMeta },
  first: ({ params }, { table }: Deps) => table.get(Conversations, params),
  async handle({ first, query: { per_page, cursor }, now }, deps) {
    const partition = conversationPartition(orNotFound(first).id);
    const list = { attribute: "pk", value: partition, prefix: messagePrefix };
    const { records, next } = await deps.table.query(Messages, {
      partition,
      prefix: messagePrefix,
      newestFirst: true,
      limit: per_page,
      after: keyOfCursor(cursor, list),
    });
    const meta = { per_page, next_cursor: cursorOf(next, list) };
    return { data: await adminMessages(records, deps, now), meta };
  },
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
  first: ({ params }, { table }: Deps) => table.get(Conversations, params),
  async handle(call, deps) {
    const { params, first, body, now } = call;
    const { table } = deps;
    const { id: conversation_id } = orNotFound(first);
    const place = { conversation_id, id: newId("msg", now) };
    const path = `/admin/inbox/conversations/${conversation_id}/messages`;
    const creation = {
      route: `POST ${path}`,
      id: place.id,
      at: () => path,
      known: { first, again: () => table.get(Conversations, params) },
    };
    return answerOnce(creation, call, table, async (bind, read) => {
      const before = orNotFound(read);
      const audit = auditContextOf(call);
      const content = await contentOf(body, before, audit.actor.id, deps);
      const message = queuedMessage(content, { ...place, sent_by: audit.actor.id, now });
      const [data] = await adminMessages([message], deps, now);
      const answer = { data: orNotFound(data) };
      await table.transact([...writesOf(before, message, audit), ...bind(answer)]);
      return answer;
    });
  },
});

/** @throws AppError `session_window_closed` */
function writesOf(before: Conversation, message: Message, audit: AuditContext): Write[] {
  if (!message.template && !isWindowOpen(before, audit.now)) {
    const { reply_window_expires_at } = before;
    throw new AppError("session_window_closed", { details: { reply_window_expires_at } });
  }
  const { id, kind } = message;
  return [
    ...saveConversation(before, rewritten(withMessage(before, message), audit.now)),
    ...addMessage(message),
    recordActivity(audit, "message.send", targetOf(before), { after: { message_id: id, kind } }),
  ];
}

export const routes = [listMessages, sendMessage];
