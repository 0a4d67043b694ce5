import * as z from "zod";
import {
  AdminConversation,
  newConversation,
  rewritten,
  withMessage,
} from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { TemplateCall, queuedMessage } from "#shared/domain/inbox/message.ts";
import { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { addMessage, openInbox, saveConversation } from "#shared/storage/inbox/inbox.ts";
import { answerOf, targetOf } from "./conversations.ts";
import type { Deps } from "./deps.ts";

const path = "/admin/inbox/conversations";

export const startConversation = route({
  method: "POST",
  path,
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
  async handle(call, { table }: Deps) {
    const { phone, template } = call.body;
    const { now } = call;
    const id = newId("conv", now);
    const creation = { route: `POST ${path}`, id, at: (created: string) => `${path}/${created}` };
    return answerOnce(creation, call, table, async (bind) => {
      const { conversation } = await openInbox(table).readNumber(phone, []);
      if (conversation) {
        throw new AppError("already_exists", {
          message: "A conversation with this number already exists.",
          details: { path: "phone", id: conversation.id },
        });
      }
      const audit = auditContextOf(call);
      const place = { id: newId("msg", now), conversation_id: id };
      const message = queuedMessage({ template }, { ...place, sent_by: audit.actor.id, now });
      const started = withMessage(newConversation(phone, { id, now }), message);
      const after = rewritten({ ...started, status: "pending" }, now);
      const answer = await answerOf(table, after);
      await table.transact([
        ...saveConversation(undefined, after),
        ...addMessage(message),
        recordActivity(audit, "conversation.create", targetOf(after), { after }),
        ...bind(answer),
      ]);
      return answer;
    });
  },
});
