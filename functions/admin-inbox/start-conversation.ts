import * as z from "zod";
import { startConversation } from "#shared/application/inbox/save-conversation.ts";
import { AdminConversation } from "#shared/domain/inbox/conversation.ts";
import { TemplateCall } from "#shared/domain/inbox/message.ts";
import { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";
import { route, staff } from "#shared/http/route.ts";
import { answerOf } from "./conversations.ts";
import type { Deps } from "./deps.ts";

const path = "/admin/inbox/conversations";

export const createConversation = route({
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
    return startConversation(call, table, (created) => answerOf(table, created));
  },
});
