import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isWindowOpen,
  newConversation,
  rewritten,
  withMessage,
} from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Message, queuedMessage, receivedMessage } from "#shared/domain/inbox/message.ts";
import { whatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const started = newConversation(
  { phone: "+919812345678", user_id: null },
  { id: newId("conv", now), now },
);
const hourMs = 3_600_000;
const later = (hours: number) => new Date(now.getTime() + hours * hourMs);

function received(at: Date, text = "Hello"): Message {
  return receivedMessage(
    {
      whatsapp_id: `wamid.${at.getTime()}`,
      kind: "text",
      text,
      media: null,
      reply_to: null,
      at: at.toISOString(),
    },
    { id: newId("msg", at), conversation_id: started.id },
  );
}

test("messages applied in any order result in the same last message, reply window and unread count", () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), {
    minLength: 1,
    maxLength: 10,
  });
  fc.assert(
    fc.property(minutes, (times) => {
      const messages = times.map((minute) => received(later(minute / 60), `Minute ${minute}`));
      const inOrder = messages.toSorted((one, other) => (one.at < other.at ? -1 : 1));
      const one = messages.reduce(withMessage, started);
      expect(one).toEqual(inOrder.reduce(withMessage, started));
      expect(one.unread_count).toBe(times.length);
      expect(one.last_message?.text).toBe(`Minute ${Math.max(...times)}`);
    }),
  );
});

test("a customer's message in the same second as a reply is the last message", () => {
  const place = { id: newId("msg", now), conversation_id: started.id, sent_by: null };
  const answer = queuedMessage({ text: "Hello" }, { ...place, now: new Date(now.getTime() + 144) });
  const asked = [received(now), answer, received(now, "Again")].reduce(withMessage, started);
  expect(asked.last_message).toMatchObject({ text: "Again", at: now.toISOString() });
  expect(asked.last_message_at).toBe(answer.at);
  const before = withMessage(asked, received(new Date(now.getTime() - 1000), "Late"));
  expect(before.last_message?.text).toBe("Again");
});

test("the reply window is open for 24 hours after the customer's last message; a reply does not extend it", () => {
  const sent_by = newId("stf", now);
  const place = { id: newId("msg", now), conversation_id: started.id, sent_by };
  const answer = queuedMessage({ text: "Yes" }, { ...place, now: later(23) });
  const conversation = [received(now), answer].reduce(withMessage, started);
  expect(isWindowOpen(started, now)).toBe(false);
  expect(isWindowOpen(conversation, new Date(later(24).getTime() - 1))).toBe(true);
  expect(isWindowOpen(conversation, later(24))).toBe(false);
  expect(conversation).toMatchObject({
    unread_count: 1,
    last_message: { direction: "outbound", text: "Yes" },
  });
});

test("a customer's message opens a resolved conversation; a staff message keeps the status", () => {
  const resolved = { ...started, status: "resolved" } as const;
  expect(withMessage(resolved, received(now)).status).toBe("open");
  const place = { id: newId("msg", now), conversation_id: started.id, sent_by: null, now };
  expect(withMessage(resolved, queuedMessage({ text: "Bye" }, place)).status).toBe("resolved");
  expect(rewritten(resolved, later(1))).toMatchObject({
    version: 1,
    updated_at: later(1).toISOString(),
  });
});

test.each([
  ["919812345678", "+919812345678"],
  ["+91 98123-45678", "+919812345678"],
  ["(44) 20.7946 0958", "+442079460958"],
  ["12345", undefined],
  ["0981234567", undefined],
  ["++919812345678", undefined],
  ["919812345678901234", undefined],
  ["IN.1234567890", undefined],
])("the phone %s is normalized to %s", (written, number) => {
  expect(whatsAppNumber(written)).toBe(number);
});
