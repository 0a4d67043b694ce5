import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Conversation } from "#shared/domain/inbox/conversation.ts";
import type { AdminMessage } from "#shared/domain/inbox/message.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { QuickReply } from "#shared/domain/inbox/quick-reply.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { put } from "#shared/storage/writes.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import type { Reply } from "#test/support/http/client.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import {
  type WhatsAppDesk,
  aMessage,
  aNumber,
  aPayload,
  openWhatsAppDesk,
} from "#test/support/back-office/whatsapp.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

type View = z.output<typeof AdminMessage>;
interface One {
  data: View;
}
interface Many {
  data: View[];
  meta: { next_cursor: string | null };
}

let desk: WhatsAppDesk;
let sales: StaffClient;
beforeAll(async () => {
  desk = await openWhatsAppDesk({ effects: ["whatsapp"] });
  sales = await desk.staff("sales");
});
afterAll(() => desk.stack.stop());

const pathOf = ({ id }: { id: string }) => `/admin/inbox/conversations/${id}/messages`;
const send = (to: Conversation, body: object, headers = {}): Promise<Reply<One>> =>
  sales.post<One>(pathOf(to), body, headers);
const newest = async (of: Conversation): Promise<View | undefined> =>
  (await sales.get<Many>(pathOf(of))).body.data[0];

/** Waits until the newest message of a conversation has this state. */
const until = (of: Conversation, state: View["state"]): Promise<View> =>
  waitFor("whatsapp", async () => {
    const message = await newest(of);
    if (message?.state !== state) throw new Error(`The message is ${message?.state}`);
    return message;
  });

test("a reply by staff is queued, sent and delivered, each with a timestamp", async () => {
  const conversation = await desk.written();
  const queued = await send(conversation, { text: "  Yes, in grey.\r\nShall we hold one?  " });
  expect([queued.status, queued.body.data]).toEqual([
    201,
    expect.objectContaining({
      state: "queued",
      direction: "outbound",
      text: "Yes, in grey.\nShall we hold one?",
      sent_by: { id: sales.id, name: expect.any(String) },
      whatsapp_id: null,
    }),
  ]);
  expect(queued.body.data).not.toHaveProperty("claimed_until");
  const delivered = await until(conversation, "delivered");
  const [taken, ...more] = await desk.sentTo(conversation.phone);
  expect(more).toEqual([]);
  expect(taken).toMatchObject({ text: { body: "Yes, in grey.\nShall we hold one?" } });
  expect(delivered).toMatchObject({ whatsapp_id: taken?.id, failure: null });
  expect([delivered.sent_at, delivered.delivered_at]).not.toContain(null);
});

test("messages are listed newest first, paginated by cursor, and sent in the order in which they were written", async () => {
  const conversation = await desk.written({ text: "First" });
  for (const text of ["Second", "Third", "Fourth"]) await send(conversation, { text });
  const page = await sales.get<Many>(`${pathOf(conversation)}?per_page=3`);
  expect(page.body.data.map(({ text }) => text)).toEqual(["Fourth", "Third", "Second"]);
  const cursor = encodeURIComponent(page.body.meta.next_cursor ?? "");
  const rest = await sales.get<Many>(`${pathOf(conversation)}?per_page=3&cursor=${cursor}`);
  expect(rest.body.data.map(({ text }) => text)).toEqual(["First"]);
  await until(conversation, "delivered");
  const sent = await desk.sentTo(conversation.phone);
  expect(sent.map(({ text }) => text?.body)).toEqual(["Second", "Third", "Fourth"]);
});

test("a reply is sent once per Idempotency-Key and conversation", async () => {
  const [one, other] = [await desk.written(), await desk.written()];
  const key = { "idempotency-key": `key-${one.id}` };
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => send(one, { text: "Only once" }, key)),
  );
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  const replays = replies.filter(({ headers }) => headers.has("idempotent-replayed"));
  expect(replays).toHaveLength(3);
  expect((await send(one, { text: "Something else" }, key)).status).toBe(422);
  expect((await send(other, { text: "Only once" }, key)).body.data.conversation_id).toBe(other.id);
  await until(one, "delivered");
  expect(await desk.sentTo(one.phone)).toHaveLength(1);
});

describe("starting a conversation with a phone number that never wrote", () => {
  const list = "/admin/inbox/conversations";
  const template = { name: "order_ready", language: "en", parameters: ["FS-1"] };
  const start = (body: object, headers = {}): Promise<Reply<{ data: Conversation } & Problem>> =>
    sales.post(list, body, headers);

  test("sends a template, and the conversation is pending", async () => {
    const phone = `+${aNumber()}`;
    const { status, body, headers } = await start({ phone, template });
    expect([status, headers.get("location"), headers.get("etag")]).toEqual([
      201,
      `/api/v1${list}/${body.data.id}`,
      '"v1"',
    ]);
    expect(body.data).toMatchObject({
      phone,
      name: null,
      status: "pending",
      unread_count: 0,
      reply_window_expires_at: null,
      last_message: { direction: "outbound", kind: "template", text: "Template order_ready: FS-1" },
    });
    const delivered = await until(body.data, "delivered");
    expect(delivered.sent_by?.id).toBe(sales.id);
    expect(await desk.sentTo(phone)).toHaveLength(1);
    // Until the customer answers, only templates are accepted.
    const free = await send(body.data, { text: "Hello?" });
    expect(free.status).toBe(409);
  });

  test("creates one conversation for concurrent requests, and the refused requests return its id", async () => {
    const phone = `+${aNumber()}`;
    const replies = await Promise.all(Array.from({ length: 5 }, () => start({ phone, template })));
    const [made, ...more] = replies.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => [body.code, body.details?.["id"]])).toEqual(
      Array.from({ length: 4 }, () => ["already_exists", made?.body.data.id]),
    );
  });

  test("accepts a number with spaces but requires a country code", async () => {
    const phone = `+${aNumber()}`;
    const typed = `${phone.slice(0, 3)} ${phone.slice(3, 8)}-${phone.slice(8)}`;
    const { status, body } = await start({ phone: typed, template });
    expect([status, body.data.phone]).toEqual([201, phone]);
    const national = await start({ phone: phone.slice(3), template });
    expect(national.body.errors?.["phone"]?.[0]).toContain("country code");
  });

  test.each([
    ["+52558", "521558"],
    ["+54115", "549115"],
    ["+553198", "55318"],
  ])(
    "finds one conversation for %s… and %s…, the form in which WhatsApp reports that number",
    async (written, delivered) => {
      const rest = randomInt(1_000_000, 10_000_000);
      const [phone, from] = [`${written}${rest}`, `${delivered}${rest}`];
      const { body } = await start({ phone, template });
      await desk.deliver(aPayload({ messages: [aMessage(from)] }));
      const repeated = await start({ phone: `+${from}`, template });
      expect([repeated.status, repeated.body.details?.["id"]]).toEqual([409, body.data.id]);
      for (const q of [phone, `+${from}`]) {
        const found = await sales.get<{ data: Conversation[] }>(
          `${list}?q=${encodeURIComponent(q)}`,
        );
        expect(found.body.data).toMatchObject([{ id: body.data.id, phone, unread_count: 1 }]);
      }
    },
  );

  test("sends one message per Idempotency-Key", async () => {
    const body = { phone: `+${aNumber()}`, template };
    const key = { "idempotency-key": `key-${body.phone}` };
    const replies = await Promise.all(Array.from({ length: 3 }, () => start(body, key)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    const [first] = replies;
    if (first) await until(first.body.data, "delivered");
    expect(await desk.sentTo(body.phone)).toHaveLength(1);
  });

  test.each([
    [{ phone: "98123 45678", template }, "phone"],
    [{ phone: "+919812345678" }, "template"],
    [{ phone: "+919812345678", text: "Hello" }, "template"],
  ])("refuses %j", async (body, path) => {
    const reply = await start(body);
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([
      422,
      expect.arrayContaining([path]),
    ]);
  });
});

describe("a conversation 24 hours after the customer's last message", () => {
  test("refuses free text without storing it, but sends a template", async () => {
    const conversation = await desk.written({ ago: 24.01 });
    const refused = await sales.post<Problem>(pathOf(conversation), { text: "Hello again" });
    expect([refused.status, refused.body.code]).toEqual([409, "session_window_closed"]);
    expect(refused.body.details).toEqual({
      reply_window_expires_at: conversation.reply_window_expires_at,
    });
    expect((await newest(conversation))?.direction).toBe("inbound");

    const template = { name: "order_update", language: "en_US", parameters: ["Asha", "FS-1"] };
    const sent = await send(conversation, { template });
    expect([sent.status, sent.body.data.kind, sent.body.data.text]).toEqual([
      201,
      "template",
      "Template order_update: Asha, FS-1",
    ]);
    await until(conversation, "delivered");
    const [taken] = await desk.sentTo(conversation.phone);
    expect(taken?.template).toEqual({
      name: "order_update",
      language: { code: "en_US" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "Asha" },
            { type: "text", text: "FS-1" },
          ],
        },
      ],
    });
  });

  test("accepts free text again after the customer's next message", async () => {
    const conversation = await desk.written({ ago: 30 });
    await desk.deliver(aPayload({ messages: [aMessage(conversation.phone.slice(1))] }));
    expect((await send(conversation, { text: "Welcome back" })).status).toBe(201);
  });
});

describe("delivering a message to WhatsApp", () => {
  test("is retried and sends the message once if WhatsApp is briefly unavailable", async () => {
    const conversation = await desk.written();
    await desk.behave(conversation.phone, { answers: [{ status: 503, code: 2 }] });
    await send(conversation, { text: "Patience" });
    await until(conversation, "delivered");
    expect(await desk.sentTo(conversation.phone)).toHaveLength(1);
  });

  test("marks the message as failed with a reason if WhatsApp refuses it permanently", async () => {
    const conversation = await desk.written();
    await desk.behave(conversation.phone, { answers: [{ status: 400, code: 131_026 }] });
    await send(conversation, { text: "Nobody there" });
    const failed = await until(conversation, "failed");
    expect(failed).toMatchObject({
      failure: { code: "131026", message: "Refused as the test requested." },
      whatsapp_id: null,
    });
    expect(failed.failed_at).not.toBe(null);
  });

  test("is not retried if WhatsApp accepts it but the response is lost", async () => {
    const conversation = await desk.written();
    await desk.behave(conversation.phone, { answers: ["lost"] });
    await send(conversation, { text: "Heard but not answered" });
    await until(conversation, "delivered");
    await desk.stack.settled();
    expect(await desk.sentTo(conversation.phone)).toHaveLength(1);
  });

  test("keeps the most advanced status if each status webhook arrives three times, in any order", async () => {
    const conversation = await desk.written();
    await desk.behave(conversation.phone, { statuses: ["sent", "delivered", "read"], copies: 3 });
    await send(conversation, { text: "Loud and clear" });
    await desk.stack.settled();
    const { sent_at, delivered_at, read_at } = await until(conversation, "read");
    expect([sent_at, delivered_at, read_at]).not.toContain(null);
  });
});

describe("quick replies", () => {
  const path = "/admin/inbox/quick-replies";
  interface OneReply {
    data: QuickReply;
  }
  const added = async (text: string): Promise<QuickReply> =>
    (await sales.post<OneReply>(path, { title: "A greeting", text })).body.data;

  test("can be created, listed, changed and deleted", async () => {
    const reply = await added("Hello {{customer_name}}");
    const one = `${path}/${reply.id}`;
    expect((await sales.get<OneReply>(one)).body.data).toEqual(reply);
    const { body } = await sales.get<{ data: QuickReply[] }>(`${path}?per_page=100`);
    expect(body.data).toContainEqual(reply);
    const changed = await sales.patch<OneReply>(one, { title: "Another" });
    expect(changed.body.data).toMatchObject({ title: "Another", text: reply.text, version: 2 });
    const late = await sales.put<Problem>(
      one,
      { title: "Late", text: "Late" },
      { "if-match": '"v1"' },
    );
    expect(late.status).toBe(412);
    expect((await sales.put(one, { title: "In time", text: "In time" })).status).toBe(200);
    expect((await sales.delete(one)).status).toBe(204);
    expect((await sales.get(one)).status).toBe(404);
  });

  test("refuse unknown variables", async () => {
    const refused = await sales.post<Problem>(path, { title: "Wrong", text: "Hi {{shoe_size}}" });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["text"]]);
  });

  test("are refused if their variables make them longer than WhatsApp allows", async () => {
    const conversation = await desk.written({ name: "Somebody with quite a long name" });
    const reply = await added("{{customer_name}}".padEnd(4096, "."));
    const refused = await sales.post<Problem>(pathOf(conversation), { quick_reply_id: reply.id });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["quick_reply_id"],
    ]);
  });

  test("are sent with their variables replaced, or refused if a value is missing", async () => {
    const conversation = await desk.written({ name: "Asha $& Rao" });
    const reply = await added("Hello {{ customer_name }}, {{agent_name}} of {{store_name}} here.");
    const { body } = await send(conversation, { quick_reply_id: reply.id });
    expect(body.data.text).toMatch(/^Hello Asha \$& Rao, .+ of .+ here\.$/);

    const needy = await added("Your order {{order_number}} is ready.");
    const refused = await sales.post<Problem>(pathOf(conversation), { quick_reply_id: needy.id });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { quick_reply_id: ["This conversation has no value for order number."] },
    ]);

    const order = { ...aPlacedOrder(), id: newId("ord", new Date()) };
    await desk.table.write(put(Orders, order));
    const link = { order_id: order.id };
    expect((await sales.patch(`/admin/inbox/conversations/${conversation.id}`, link)).status).toBe(
      200,
    );
    const linked = await send(conversation, { quick_reply_id: needy.id });
    expect(linked.body.data.text).toBe(`Your order ${order.number} is ready.`);
  });
});

test("an invalid message is refused with 422", async () => {
  const conversation = await desk.written();
  const wrong = [{}, { text: "" }, { text: "a".repeat(4097) }, { text: "a", template: {} }];
  for (const body of wrong) expect((await send(conversation, body)).status).toBe(422);
  expect((await sales.post(pathOf({ id: "nothing" }), { text: "Hello" })).status).toBe(404);
  expect((await sales.get(pathOf({ id: "nothing" }))).status).toBe(404);
});
