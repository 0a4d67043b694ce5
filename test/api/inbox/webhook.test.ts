import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import type { Conversation } from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Message, queuedMessage } from "#shared/domain/inbox/message.ts";
import {
  Messages,
  conversationPartition,
  messagePrefix,
  nameMessage,
  openInbox,
} from "#shared/storage/inbox/inbox.ts";
import { put } from "#shared/storage/writes.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import {
  type WhatsAppDesk,
  aMessage,
  aNumber,
  aPayload,
  aStatus,
  aWhatsAppId,
  openWhatsAppDesk,
  sendWebhook,
  signed,
  webhookPath,
  whatsAppSecrets,
} from "#test/support/back-office/whatsapp.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

let desk: WhatsAppDesk;
beforeAll(async () => {
  desk = await openWhatsAppDesk();
});
afterAll(() => desk.stack.stop());

const conversationOf = (number: string): Promise<Conversation | undefined> =>
  openInbox(desk.table).readNumber(`+${number}`);

async function messagesIn({ id }: { id: string }): Promise<Message[]> {
  const partition = conversationPartition(id);
  return (await desk.table.page(Messages, { partition, prefix: messagePrefix })).records;
}

/** Retries until the response is 200, as WhatsApp does, because concurrent calls may conflict. */
const deliverUntilTaken = (payload: unknown) =>
  waitUntil(async () => expect((await desk.deliver(payload)).status).toBe(200), {
    interval: 500,
  });

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

describe("the verification request of the WhatsApp webhook", () => {
  const shake = (query: Record<string, string>): Promise<Reply> =>
    clientOf(desk.stack.baseUrl).send(
      "GET",
      `${webhookPath}?${new URLSearchParams(query).toString()}`,
    );
  const good = {
    "hub.mode": "subscribe",
    "hub.challenge": "1158201444",
    "hub.verify_token": whatsAppSecrets["whatsapp.verify_token"],
  };

  test("returns the challenge unchanged", async () => {
    const { status, text, headers } = await shake(good);
    expect([status, text, headers.get("content-type")]).toEqual([
      200,
      "1158201444",
      "text/plain; charset=utf-8",
    ]);
  });

  test("is refused with a wrong verify token or without a required parameter", async () => {
    expect((await shake({ ...good, "hub.verify_token": "another token" })).status).toBe(403);
    expect((await shake({ "hub.mode": "subscribe", "hub.challenge": "1" })).status).toBe(422);
    expect((await shake({ ...good, "hub.mode": "unsubscribe" })).status).toBe(422);
  });
});

describe("the signature of the WhatsApp webhook", () => {
  test("is required: a missing signature, a wrong one, or that of another body returns 400 and stores nothing", async () => {
    const number = aNumber();
    const body = JSON.stringify(aPayload({ messages: [aMessage(number)] }));
    const { "x-hub-signature-256": good = "" } = signed(body);
    const wrong = [
      {},
      { "x-hub-signature-256": "" },
      { "x-hub-signature-256": "sha256=00" },
      { "x-hub-signature-256": good.replace("sha256=", "") },
      { "x-hub-signature-256": good.replace("sha256=", "sha1=") },
      signed(`${body} `),
    ];
    for (const headers of wrong) {
      const reply = await sendWebhook(desk.stack.baseUrl, body, headers);
      expect([reply.status, (reply.body as Problem).code]).toEqual([400, "bad_signature"]);
    }
    expect(await conversationOf(number)).toBeUndefined();
    expect((await sendWebhook(desk.stack.baseUrl, body, signed(body))).status).toBe(200);
    expect(await conversationOf(number)).toBeDefined();
  });

  test("is verified over the raw bytes of the body", async () => {
    const spaced = `{ "object":"whatsapp_business_account",\n "entry":[], "note":"Malm\\u00f6 Ünal 🛋️" }`;
    expect((await sendWebhook(desk.stack.baseUrl, spaced, signed(spaced))).status).toBe(200);
    const again = JSON.stringify(JSON.parse(spaced));
    expect((await sendWebhook(desk.stack.baseUrl, again, signed(spaced))).status).toBe(400);
  });

  test("is required but not sufficient: signed invalid JSON returns 400, and a signed unknown event 200", async () => {
    expect((await sendWebhook(desk.stack.baseUrl, "{", signed("{"))).status).toBe(400);
    for (const body of ["[]", "5", '{"object":"page","entry":[{"changes":[{"field":"feed"}]}]}']) {
      expect((await sendWebhook(desk.stack.baseUrl, body, signed(body))).status).toBe(200);
    }
  });
});

describe("the WhatsApp webhook without configured secrets", () => {
  let bare: Stack;
  beforeAll(async () => {
    bare = await startGuardedStack({
      dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    });
  });
  afterAll(() => bare.stop());

  test("returns 503 for every request, with or without a signature", async () => {
    const body = JSON.stringify(aPayload({ messages: [aMessage(aNumber())] }));
    for (const headers of [{}, signed(body)]) {
      expect((await sendWebhook(bare.baseUrl, body, headers)).status).toBe(503);
    }
    const query = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=";
    const reply = await clientOf(bare.baseUrl).send("GET", `${webhookPath}?${query}`);
    expect(reply.status).toBe(503);
  });
});

test("a customer's message is added to the customer's conversation and opens the 24-hour window", async () => {
  const number = aNumber();
  const timestamp = String(Math.floor(Date.now() / 1000) - 3_600);
  const written = aMessage(number, { timestamp });
  await desk.deliver(aPayload({ messages: [written], name: "Zoë  Ünal" }));
  const conversation = await conversationOf(number);
  const at = new Date(Number(timestamp) * 1000);
  expect(conversation).toMatchObject({
    phone: `+${number}`,
    name: "Zoë  Ünal",
    status: "open",
    unread_count: 1,
    last_message: { direction: "inbound", text: "Is the sofa in stock?" },
    reply_window_expires_at: new Date(at.getTime() + 86_400_000).toISOString(),
  });
  expect(await messagesIn(conversation!)).toEqual([
    expect.objectContaining({
      whatsapp_id: written.id,
      kind: "text",
      direction: "inbound",
      state: null,
      at: at.toISOString(),
    }),
  ]);
});

test("each message is stored once even if its webhooks are repeated and reordered", async () => {
  const numbers = [aNumber(), aNumber(), aNumber()];
  const written = numbers.flatMap((number) =>
    Array.from({ length: 8 }, (_none, minute) =>
      aMessage(number, {
        timestamp: String(Math.floor(Date.now() / 1000) - 600 + minute * 60),
        text: { body: `Line ${minute}` },
      }),
    ),
  );
  const storm = shuffled([...written, ...written, ...written]);
  const pairs = storm.flatMap((message, position) =>
    position % 2 === 0 ? [[message, storm[position + 1] ?? message]] : [],
  );
  await Promise.all(pairs.map((messages) => deliverUntilTaken(aPayload({ messages }))));

  for (const number of numbers) {
    const conversation = await conversationOf(number);
    const messages = await messagesIn(conversation!);
    const lines = Array.from({ length: 8 }, (_none, minute) => `Line ${minute}`);
    expect(messages.map(({ text }) => text)).toEqual(lines);
    expect(conversation).toMatchObject({ unread_count: 8, last_message: { text: "Line 7" } });
  }
});

async function aSentMessage(): Promise<Message & { whatsapp_id: string }> {
  const number = aNumber();
  await desk.deliver(aPayload({ messages: [aMessage(number)] }));
  const conversation = await conversationOf(number);
  const now = new Date();
  const message = queuedMessage(
    { text: "Yes, it is." },
    { id: newId("msg", now), conversation_id: conversation!.id, sent_by: newId("stf", now), now },
  );
  const whatsapp_id = aWhatsAppId();
  await desk.table.transact([put(Messages, message), nameMessage(message, whatsapp_id)]);
  return { ...message, whatsapp_id };
}
const stored = (message: Message) => desk.table.get(Messages, message);

test("the most advanced message status is kept even if status webhooks are repeated and reordered", async () => {
  const sent = await Promise.all(Array.from({ length: 6 }, aSentMessage));
  const storm = shuffled(
    sent.flatMap(({ whatsapp_id: id }) =>
      ["sent", "delivered", "read", "delivered", "sent"].map((state) => aStatus(id, state)),
    ),
  );
  await Promise.all(storm.map((status) => deliverUntilTaken(aPayload({ statuses: [status] }))));
  for (const message of sent) {
    const { state, sent_at, delivered_at, read_at } = (await stored(message))!;
    expect(state).toBe("read");
    expect([sent_at, delivered_at, read_at]).not.toContain(null);
  }
});

test("a failure status is stored with its reason and does not overwrite a delivered status", async () => {
  const errors = [
    { code: 131026, title: "Undeliverable", error_data: { details: "No WhatsApp." } },
  ];
  const [failed, arrived] = [await aSentMessage(), await aSentMessage()];
  await desk.deliver(aPayload({ statuses: [aStatus(failed.whatsapp_id, "failed", { errors })] }));
  expect(await stored(failed)).toMatchObject({
    state: "failed",
    failure: { code: "131026", message: "No WhatsApp." },
  });
  for (const state of shuffled(["delivered", "failed", "sent"])) {
    await desk.deliver(aPayload({ statuses: [aStatus(arrived.whatsapp_id, state, { errors })] }));
  }
  expect(await stored(arrived)).toMatchObject({ state: "delivered", failure: null });
});

test("a status webhook finds its message by our own reference before WhatsApp's id is stored", async () => {
  const { id, conversation_id, ...message } = await aSentMessage();
  const status = aStatus(aWhatsAppId(), "delivered", {
    biz_opaque_callback_data: `${conversation_id}/${id}`,
  });
  await desk.deliver(aPayload({ statuses: [status] }));
  expect(await stored({ ...message, id, conversation_id })).toMatchObject({
    state: "delivered",
    whatsapp_id: status.id,
  });
});

test("status webhooks of unknown or received messages change nothing", async () => {
  const number = aNumber();
  const written = aMessage(number);
  await desk.deliver(aPayload({ messages: [written] }));
  const before = await messagesIn((await conversationOf(number))!);
  const statuses = [aStatus(aWhatsAppId(), "read"), aStatus(written.id, "read"), { status: 5 }];
  expect((await desk.deliver(aPayload({ statuses }))).status).toBe(200);
  expect(await messagesIn((await conversationOf(number))!)).toEqual(before);
});
