import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import { onChangeWhatsapp } from "#functions/on-change/queue-consumers.ts";
import { localWhatsApp } from "#infra/local/whatsapp/whatsapp-keys.ts";
import { type WhatsAppEmulator, startWhatsApp } from "#infra/local/whatsapp/whatsapp.ts";
import { newConversation, rewritten } from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Message, queuedMessage } from "#shared/domain/inbox/message.ts";
import { openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { Messages, addMessage, saveConversation } from "#shared/storage/inbox/inbox.ts";
import { openOutgoingMessages } from "#shared/storage/inbox/outgoing-messages.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
/** The emulator has no secret to sign webhooks with, so it sends none: the shop only gets its responses. */
let emulator: WhatsAppEmulator;
let deps: Parameters<typeof onChangeWhatsapp>[1];
beforeAll(async () => {
  fixture = await startTestTable();
  emulator = await startWhatsApp({ webhookUrl: "http://127.0.0.1:9", appSecret: async () => null });
  deps = aShop<typeof deps>({
    table: fixture.table,
    whatsApp: openWhatsApp({ apiUrl: emulator.endpoint }),
    inboxFiles: { remove: async () => undefined },
    copyInboxFile: async () => undefined,
    mediaBaseUrl: "https://media.example.com",
    whatsAppAccount: async () => ({ ...localWhatsApp, api_version: "v23.0" }),
    log: silentLog,
    now: () => noon,
  });
});
afterAll(async () => {
  await emulator.stop();
  await fixture.stop();
});

/**
 * Stores a conversation with a new phone number and this many unsent WhatsApp messages. Returns them with the SQS records
 * that ask to send them.
 */
async function waiting(count: number) {
  const number = `91${randomInt(6e9, 1e10)}`;
  const id = newId("conv", noon);
  const conversation = rewritten(
    newConversation({ phone: `+${number}`, user_id: null }, { id, now: noon }),
    noon,
  );
  const messages = Array.from({ length: count }, (_none, minute) =>
    queuedMessage(
      { text: `Line ${minute}` },
      { id: newId("msg", noon), conversation_id: id, sent_by: null, now: noon },
    ),
  );
  await fixture.table.transact([
    ...saveConversation(undefined, conversation),
    ...messages.flatMap(addMessage),
  ]);
  const records = messages.map((message) => {
    const record = aMessage({ conversation_id: id, id: message.id });
    return { ...record, attributes: { ...record.attributes, MessageGroupId: id } };
  });
  return {
    messages,
    records,
    behave: (behaviour: object) =>
      fetch(`${emulator.endpoint}/behaviour/${number}`, {
        method: "PUT",
        body: JSON.stringify(behaviour),
      }),
    async sent() {
      const answer = await fetch(`${emulator.endpoint}/sent?to=${number}`);
      return ((await answer.json()) as { text: { body: string } }[]).map(({ text }) => text.body);
    },
  };
}

const stored = (message: Message | undefined) => message && fixture.table.get(Messages, message);
const away = { status: 503, code: 2 };

test("a WhatsApp message is sent once, even if its queue message is delivered twice", async () => {
  const { messages, records, sent } = await waiting(1);
  await onChangeWhatsapp({ Records: [...records, ...records] }, deps);
  await onChangeWhatsapp({ Records: records }, deps);
  expect(await sent()).toEqual(["Line 0"]);
  expect(await stored(messages[0])).toMatchObject({ state: "sent", attempts: 1 });
});

test("a failed message delays the later messages of its conversation, but no other conversation", async () => {
  const [held, free] = [await waiting(3), await waiting(1)];
  await held.behave({ answers: [away] });
  const answer = await onChangeWhatsapp({ Records: [...held.records, ...free.records] }, deps);
  expect(answer.batchItemFailures).toEqual(
    held.records.map(({ messageId }) => ({ itemIdentifier: messageId })),
  );
  expect([await held.sent(), await free.sent()]).toEqual([[], ["Line 0"]]);
  await onChangeWhatsapp({ Records: held.records }, deps);
  expect(await held.sent()).toEqual(["Line 0", "Line 1", "Line 2"]);
});

test("a message is marked as failed after twelve failed attempts", async () => {
  const { messages, records, behave } = await waiting(1);
  await behave({ answers: Array.from({ length: 12 }, () => away) });
  for (let attempt = 1; attempt < 12; attempt++) {
    expect((await onChangeWhatsapp({ Records: records }, deps)).batchItemFailures).toHaveLength(1);
  }
  expect(await stored(messages[0])).toMatchObject({ state: "queued", claimed_until: null });
  expect((await onChangeWhatsapp({ Records: records }, deps)).batchItemFailures).toEqual([]);
  expect(await stored(messages[0])).toMatchObject({
    state: "failed",
    failure: { code: "unreachable" },
  });
});

test("a message is marked as failed with a reason immediately if no WhatsApp account is configured", async () => {
  const { messages, records } = await waiting(1);
  await onChangeWhatsapp({ Records: records }, { ...deps, whatsAppAccount: async () => undefined });
  expect(await stored(messages[0])).toMatchObject({
    state: "failed",
    failure: { code: "not_configured" },
  });
});

test("a message that another worker claimed is retried once the claim expires, after a minute", async () => {
  const { records, messages, sent } = await waiting(1);
  const [message] = messages;
  const outgoing = openOutgoingMessages(fixture.table);
  expect(message && (await outgoing.claim(message, noon)).kind).toBe("claimed");
  expect((await onChangeWhatsapp({ Records: records }, deps)).batchItemFailures).toHaveLength(1);
  const afterwards = { ...deps, now: () => new Date(noon.getTime() + 60_001) };
  expect((await onChangeWhatsapp({ Records: records }, afterwards)).batchItemFailures).toEqual([]);
  expect(await sent()).toEqual(["Line 0"]);
});

test("a queue message that cannot be parsed is reported as failed each time, so that SQS moves it to the dead letter queue", async () => {
  const Records = [aMessage({ id: 5 }), { ...aMessage({}), body: "{" }];
  expect(
    (await onChangeWhatsapp({ Records: Records.slice(0, 1) }, deps)).batchItemFailures,
  ).toHaveLength(1);
  expect(
    (await onChangeWhatsapp({ Records: Records.slice(1) }, deps)).batchItemFailures,
  ).toHaveLength(1);
});

describe("WhatsApp's response", () => {
  const account = { ...localWhatsApp, api_version: "v23.0" };
  const outcome = async (behaviour: object) => {
    const number = `91${randomInt(6e9, 1e10)}`;
    await fetch(`${emulator.endpoint}/behaviour/${number}`, {
      method: "PUT",
      body: JSON.stringify(behaviour),
    });
    return deps.whatsApp.send(account, { to: `+${number}`, said: { text: "Hello" } }).then(
      ({ kind }) => kind,
      (error: Error) => error.name,
    );
  };

  test.each([
    [400, 131_026, "refused"],
    [400, 131_047, "refused"],
    [401, 190, "refused"],
    [400, 130_429, "Unavailable"],
    [400, 131_056, "Unavailable"],
    [429, 80_007, "Unavailable"],
    [500, 131_000, "Unavailable"],
    [503, 2, "Unavailable"],
  ])("with status %i and code %i is treated as %s", async (status, code, expected) => {
    expect(await outcome({ answers: [{ status, code }] })).toBe(expected);
  });

  test("is treated as Unavailable if the connection breaks", async () => {
    expect(await outcome({ answers: ["lost"] })).toBe("Unavailable");
  });
});

test("only new outgoing WhatsApp messages are enqueued", () => {
  const place = { id: newId("msg", noon), conversation_id: newId("conv", noon) };
  const item = { entity: "message", state: "queued", ...place };
  const pk = `CONVERSATION#${place.conversation_id}`;
  const enqueued = (before: object | undefined, after: object | undefined) =>
    messageTo("whatsApp", {
      pk,
      before: before as Record<string, unknown> | undefined,
      after: after as Record<string, unknown> | undefined,
    });
  expect(enqueued(undefined, item)).toEqual(place);
  expect(enqueued(item, { ...item, attempts: 1 })).toBeUndefined();
  expect(enqueued(undefined, { ...item, state: null })).toBeUndefined();
  expect(enqueued(undefined, { ...item, entity: "conversation" })).toBeUndefined();
  expect(enqueued(item, undefined)).toBeUndefined();
});
