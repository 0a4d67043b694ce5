import type { Shop } from "#shared/application/shop.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import type * as z from "zod";
import {
  type EditCall,
  type AuditedCall,
  auditContextOf,
} from "#shared/application/audit-context.ts";
import { type Answered, type CreatingCall, once } from "#shared/application/once.ts";
import { edit, isUnchanged } from "#shared/application/edit.ts";
import { requireColleague } from "#shared/application/staff/require-colleague.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type Conversation,
  type ConversationPatch,
  isWindowOpen,
  newConversation,
  rewritten,
  withMessage,
} from "#shared/domain/inbox/conversation.ts";
import {
  type Message,
  type NewMessage,
  type TemplateCall,
  queuedMessage,
} from "#shared/domain/inbox/message.ts";
import type { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";
import {
  addMessage,
  openInbox,
  readConversation,
  saveConversation,
} from "#shared/storage/inbox/inbox.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import { outboundContent, referenceChecks } from "./outbound-content.ts";

const path = "/admin/inbox/conversations";

const targetOf = ({ id, name, phone, user_id }: Conversation) => ({
  kind: "conversation",
  id,
  label: name ?? phone ?? user_id ?? id,
});

/**
 * Assigns, resolves, links or marks a conversation.
 *
 * @param first the conversation, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `validation_failed`
 */
export async function patchConversation(
  call: EditCall<z.output<typeof ConversationPatch>>,
  first: Conversation | undefined,
  table: Table,
): Promise<Conversation> {
  const { params, body, headers, now } = call;
  const { assignee: assignee_id, ...patch } = body;
  const read = () => readConversation(table, params);
  await requireColleague(table, assignee_id, { field: "assignee", permission: "inbox.view" });
  return edit(first, read, headers["if-match"], async (before) => {
    // A member that the request leaves out is absent from `patch`, so the conversation keeps its value.
    const wanted = {
      ...before,
      ...patch,
      ...(assignee_id !== undefined && { assignee_id }),
    } as Conversation;
    if (isUnchanged(before, wanted)) return before;
    const after = rewritten(wanted, now);
    await table.transact([
      ...referenceChecks(body),
      ...saveConversation(before, after),
      recordActivity(auditContextOf(call), "conversation.update", targetOf(after), {
        before,
        after,
      }),
    ]);
    return after;
  });
}

/**
 * Starts a conversation with a template. A repeated request gets the first response.
 *
 * @param answerOf returns the response for the new conversation
 * @throws AppError `already_exists`
 */
export async function startConversation<Data>(
  call: CreatingCall &
    AuditedCall & {
      readonly body: { readonly phone: WhatsAppNumber; readonly template: TemplateCall };
    },
  table: Table,
  answerOf: (after: Conversation) => Promise<{ data: Data; version: number }>,
) {
  const { phone, template } = call.body;
  const { now } = call;
  const id = newId("conv", now);
  const creation = {
    route: `POST ${path}`,
    id,
    at: (created: string) => `${path}/${created}`,
    replay: "answer",
  } as const;
  return once<Answered<Data>>(creation, call, table, async (bind) => {
    const conversation = await openInbox(table).readNumber(phone);
    if (conversation) {
      throw new AppError("already_exists", {
        message: "A conversation with this number already exists.",
        details: { path: "phone", id: conversation.id },
      });
    }
    const audit = auditContextOf(call);
    const place = { id: newId("msg", now), conversation_id: id };
    const message = queuedMessage({ template }, { ...place, sent_by: audit.actor.id, now });
    const started = withMessage(newConversation({ phone, user_id: null }, { id, now }), message);
    const after = rewritten({ ...started, status: "pending" }, now);
    const answer = await answerOf(after);
    await table.transact([
      ...saveConversation(undefined, after),
      ...addMessage(message),
      recordActivity(audit, "conversation.create", targetOf(after), { after }),
      ...bind(answer),
    ]);
    return answer;
  });
}

/**
 * Queues a message to the customer of a conversation. A repeated request gets the first response.
 *
 * @param first the conversation, as the request has read it
 * @param answerOf returns the response for the queued message
 * @throws AppError `not_found`, `validation_failed`, `session_window_closed`
 */
export async function queueMessage<Data>(
  call: CreatingCall &
    AuditedCall & { readonly params: { readonly id: string }; readonly body: NewMessage },
  first: Conversation | undefined,
  shop: Shop<"table" | "settings", "store">,
  answerOf: (message: Message) => Promise<{ data: Data }>,
) {
  const { params, body, now } = call;
  const { table } = shop;
  const id = newId("msg", now);
  const list = `/admin/inbox/conversations/${orNotFound(first).id}/messages`;
  const creation = {
    route: `POST ${list}`,
    id,
    at: () => list,
    known: { first, again: () => readConversation(table, params) },
    replay: "answer",
  } as const;
  return once<{ data: Data }, Conversation | undefined>(
    creation,
    call,
    table,
    async (bind, read) => {
      const before = orNotFound(read);
      const audit = auditContextOf(call);
      const content = await outboundContent(body, before, audit.actor.id, shop);
      const place = { conversation_id: before.id, id };
      const message = queuedMessage(content, { ...place, sent_by: audit.actor.id, now });
      const answer = await answerOf(message);
      await table.transact([...writesOf(before, message, audit), ...bind(answer)]);
      return answer;
    },
  );
}

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
