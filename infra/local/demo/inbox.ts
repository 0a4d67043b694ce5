import {
  type Conversation,
  newConversation,
  rewritten,
  withMessage,
} from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Message, queuedMessage, receivedMessage } from "#shared/domain/inbox/message.ts";
import type { QuickReply } from "#shared/domain/inbox/quick-reply.ts";
import { isNew } from "#shared/storage/conditions.ts";
import { addMessage, saveConversation } from "#shared/storage/inbox/inbox.ts";
import { QuickReplies } from "#shared/storage/inbox/quick-replies.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { demoId } from "./identity.ts";

const replies = {
  Welcome: "Hello {{customer_name}}, this is {{agent_name}} of {{store_name}}. How can I help?",
  "On its way":
    "Good news, {{customer_name}}: your order {{order_number}} has left our workshop.\nWe call before we come.",
  "Visit us":
    "You are welcome to sit on everything we make, any day from 10.30 to 20.00 at our Indiranagar studio.",
};

const windowDays = 3;

const lines: readonly { ago: number; from: "customer" | "staff"; text: string }[] = [
  { ago: 52, from: "customer", text: "Hi! Does the Saanjh sofa fit through a 90 cm door?" },
  {
    ago: 47,
    from: "staff",
    text: "It does: the carton of its body is 75 cm high. May I have your PIN code?",
  },
  { ago: 12, from: "customer", text: "560038, third floor, no lift" },
];

/** Quick replies, and a conversation whose customer awaits an answer. */
export const demoInbox = (now: Date): Write[] => [
  ...Object.entries(replies).map(([title, text]) =>
    put(QuickReplies, reply(title, text, now), isNew),
  ),
  ...conversation(now),
];

function reply(title: string, text: string, now: Date): QuickReply {
  const at = now.toISOString();
  return { id: demoId("qr", title), title, text, version: 1, created_at: at, updated_at: at };
}

function conversation(now: Date): Write[] {
  const begun = minutesBefore(now, lines[0]?.ago ?? 0);
  const started: Conversation = {
    ...newConversation(
      { phone: "+919845012345", user_id: null },
      { id: demoId("conv", "Asha Rao"), now: begun },
    ),
    name: "Asha Rao",
  };
  const messages = lines.map((line) => message(started.id, line, minutesBefore(now, line.ago)));
  const after = rewritten(messages.reduce(withMessage, started), now);
  // Staff have read the messages that they answered, so only the last one is unread.
  return [
    ...saveConversation(undefined, {
      ...after,
      unread_count: 1,
      // Longer than WhatsApp allows, so that staff can reply as long as this shop is in use.
      reply_window_expires_at: new Date(now.getTime() + windowDays * 86_400_000).toISOString(),
    }),
    ...messages.flatMap(addMessage),
  ];
}

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

function message(
  conversation_id: string,
  { from, text }: (typeof lines)[number],
  written: Date,
): Message {
  const id = newId("msg", written);
  const [at, whatsapp_id] = [written.toISOString(), `wamid.demo-${id}`];
  if (from === "customer") {
    const received = { whatsapp_id, kind: "text", text, media: null, reply_to: null, at } as const;
    return receivedMessage(received, { id, conversation_id });
  }
  const sent_by = demoId("stf", "sales");
  return {
    ...queuedMessage({ text }, { id, conversation_id, sent_by, now: written }),
    whatsapp_id,
    state: "read",
    sent_at: at,
    delivered_at: at,
    read_at: at,
  };
}
