import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { AdminConversation } from "#shared/domain/inbox/conversation.ts";
import type { AdminMessage } from "#shared/domain/inbox/message.ts";
import type { CustomerExport } from "#shared/domain/export/customer-export.ts";
import type { PhoneProofCode } from "#shared/domain/customer/phone-proof.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import {
  type WhatsAppDesk,
  aHiddenMessage,
  aMessage,
  aNumber,
  aPayload,
  aUserId,
  openWhatsAppDesk,
} from "#test/support/back-office/whatsapp.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { type Member, aMember, aPassword } from "#test/support/people/members.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

type View = z.output<typeof AdminConversation>;
type MessageView = z.output<typeof AdminMessage>;

let desk: WhatsAppDesk;
let manager: StaffClient;
beforeAll(async () => {
  desk = await openWhatsAppDesk({ effects: ["inbox-files", "whatsapp"] });
  manager = await desk.staff("manager");
});
afterAll(() => desk.stack.stop());

const list = "/admin/inbox/conversations";
const conversationsOf = async (q: string): Promise<View[]> =>
  (await manager.get<Data<View[]>>(`${list}?q=${encodeURIComponent(q)}`)).body.data;
async function conversationOf(q: string): Promise<View> {
  const [conversation, ...others] = await conversationsOf(q);
  if (!conversation || others.length > 0) throw new Error(`${others.length + 1} conversations`);
  return conversation;
}
const messagesIn = async ({ id }: { id: string }): Promise<MessageView[]> =>
  (await manager.get<Data<MessageView[]>>(`${list}/${id}/messages`)).body.data;
const textsIn = async (of: { id: string }) => (await messagesIn(of)).map(({ text }) => text);
const write = (...messages: { from?: string; from_user_id?: string }[]) =>
  desk.deliver(aPayload({ messages }));
const said = (body: string, overrides: object = {}) => ({ text: { body }, ...overrides });

describe("a person who hides the number on WhatsApp", () => {
  test("has one conversation, found by the user id, with a name and without a phone", async () => {
    const user = aUserId();
    await write(aHiddenMessage(user, said("One")));
    await write(aHiddenMessage(user, said("Two")));
    const conversation = await conversationOf(user);
    expect(conversation).toMatchObject({
      phone: null,
      user_id: user,
      name: "Asha Rao",
      merged_into: null,
      unread_count: 2,
    });
    expect(await textsIn(conversation)).toEqual(["Two", "One"]);
  });

  test("is named by the username if the profile has no other name", async () => {
    const user = aUserId();
    const payload = aPayload({ messages: [aHiddenMessage(user)] });
    const [entry] = payload.entry;
    const contacts = [{ user_id: user, profile: { username: "asha.builds" } }];
    Object.assign(entry!.changes[0]!.value, { contacts });
    await desk.deliver(payload);
    expect(await conversationOf(user)).toMatchObject({ name: "asha.builds" });
  });

  test("gets answers as recipient, whose statuses advance the message", async () => {
    const user = aUserId();
    await write(aHiddenMessage(user));
    const { id } = await conversationOf(user);
    const { status } = await manager.post(`${list}/${id}/messages`, { text: "Yes." }, aKey());
    expect(status).toBe(201);
    await waitFor("whatsapp", async () => {
      const [message] = await messagesIn({ id });
      expect(message).toMatchObject({ text: "Yes.", state: "delivered" });
    });
    expect(await desk.sentTo(`+${user}`)).toEqual([
      expect.objectContaining({ recipient: user, text: { body: "Yes." } }),
    ]);
  });
});

describe("a message with number and user id", () => {
  test("gives a number's conversation the user id, and messages without a number go there", async () => {
    const [number, user] = [aNumber(), aUserId()];
    await write(aMessage(number, said("By number")));
    await write(aMessage(number, said("By both", { from_user_id: user })));
    await write(aHiddenMessage(user, said("By id")));
    const conversation = await conversationOf(user);
    expect(conversation).toMatchObject({ phone: `+${number}`, unread_count: 3 });
    expect(await textsIn(conversation)).toEqual(["By id", "By both", "By number"]);
  });

  test("gives a hidden person's conversation the number, to which answers then go", async () => {
    const [number, user] = [aNumber(), aUserId()];
    await write(aHiddenMessage(user, said("Hidden")));
    await write(aMessage(number, said("Shown", { from_user_id: user })));
    const conversation = await conversationOf(`+${number}`);
    expect(conversation).toMatchObject({ user_id: user });
    expect(await textsIn(conversation)).toEqual(["Shown", "Hidden"]);
  });

  test("joins two conversations: the number's stays, and takes messages, files and unsent answers", async () => {
    const [number, user] = [aNumber(), aUserId()];
    await write(aMessage(number, said("By number")));
    const file = randomUUID();
    await fetch(`${desk.stack.environment.WHATSAPP_API_URL}/files/${file}`, {
      method: "PUT",
      headers: { "content-type": "text/plain" },
      body: "Plan of the flat",
    });
    const document = { id: file, mime_type: "text/plain", filename: "plan.txt" };
    await write(
      aHiddenMessage(user, said("Hidden")),
      aHiddenMessage(user, { type: "document", document }),
    );
    const [kept, other] = [await conversationOf(`+${number}`), await conversationOf(user)];
    expect(other.id).not.toBe(kept.id);
    await waitFor("inbox-files", async () => {
      expect((await messagesIn(other)).map(({ media }) => media?.status)).toContain("ready");
    });
    await manager.patch(`${list}/${other.id}`, { status: "pending" });
    await manager.post(`${list}/${other.id}/messages`, { text: "Thank you." }, aKey());

    await write(aMessage(number, said("By both", { from_user_id: user })));

    await waitFor("whatsapp", async () => {
      expect((await textsIn(kept)).toSorted()).toEqual(
        ["By number", "Hidden", "Document: plan.txt", "Thank you.", "By both"].toSorted(),
      );
    });
    expect(await conversationOf(user)).toMatchObject({
      id: kept.id,
      phone: `+${number}`,
      user_id: user,
      status: "open",
      unread_count: 4,
    });
    const merged = await manager.get<Data<View>>(`${list}/${other.id}`);
    expect(merged.body.data).toMatchObject({ merged_into: kept.id, phone: null, user_id: null });
    expect((await conversationsOf("Asha Rao")).map(({ id }) => id)).not.toContain(other.id);

    const stored = (await messagesIn(kept)).find(({ kind }) => kind === "document");
    const link = await fetch(stored!.media!.url!);
    expect([link.status, await link.text()]).toEqual([200, "Plan of the flat"]);
    await waitFor("whatsapp", async () => {
      const answer = (await messagesIn(kept)).find(({ text }) => text === "Thank you.");
      expect(answer).toMatchObject({ conversation_id: kept.id, state: "delivered" });
    });
  });

  test("joins them once, however often and in whatever order the messages arrive", async () => {
    const [number, user] = [aNumber(), aUserId()];
    const messages = [
      ...Array.from({ length: 4 }, (_none, line) => aMessage(number, said(`Number ${line}`))),
      ...Array.from({ length: 4 }, (_none, line) => aHiddenMessage(user, said(`Id ${line}`))),
      ...Array.from({ length: 2 }, (_none, line) =>
        aMessage(number, said(`Both ${line}`, { from_user_id: user })),
      ),
    ];
    await Promise.all([...messages, ...messages].map((message) => write(message)));
    await waitFor("whatsapp", async () => {
      const conversation = await conversationOf(user);
      expect(await textsIn(conversation)).toHaveLength(messages.length);
      expect(conversation).toMatchObject({ phone: `+${number}`, unread_count: messages.length });
    });
  });

  test("leaves an id of a merged conversation usable: staff read and answer the one that continues it", async () => {
    const [number, user] = [aNumber(), aUserId()];
    await write(aMessage(number), aHiddenMessage(user));
    const other = await conversationOf(user);
    await write(aMessage(number, { from_user_id: user }));
    const { body } = await manager.patch<Data<View>>(`${list}/${other.id}`, { unread_count: 0 });
    expect(body.data).toMatchObject({ phone: `+${number}`, unread_count: 0 });
    await manager.post(`${list}/${other.id}/messages`, { text: "Yes." }, aKey());
    expect(await textsIn({ id: body.data.id })).toContain("Yes.");
  });
});

test("a new user id continues the conversation of the one before, and the old id then begins another", async () => {
  const [before, after] = [aUserId(), aUserId()];
  await write(aHiddenMessage(before, said("Before")));
  const system = {
    type: "user_changed_user_id",
    body: "The user id has changed",
    user_id: after,
    previous_user_id: before,
  };
  await write(aHiddenMessage(after, { type: "system", system }));
  await write(aHiddenMessage(after, said("After")));
  expect(await textsIn(await conversationOf(after))).toEqual([
    "After",
    "The user id has changed",
    "Before",
  ]);
  await write(aHiddenMessage(before, said("Somebody")));
  expect(await textsIn(await conversationOf(before))).toEqual(["Somebody"]);
});

describe("the conversation of a customer who hides the number", () => {
  const whose = (phone: string) => aMember(desk.stack.baseUrl, { phone });
  const askForCode = ({ client, headers }: Member) =>
    client.post<Data<PhoneProofCode>>("/account/phone/proof", {}, headers);
  const exported = async ({ id }: Member) => {
    const { body } = await manager.get<Data<CustomerExport>>(`/admin/customers/${id}/export`);
    return body.data.records.flatMap(({ record, data }) =>
      record === "message" ? [(data as { text: string }).text] : [],
    );
  };

  test("is exported and loses its name on erasure once a message shows the proven number", async () => {
    const [number, user] = [aNumber(), aUserId()];
    const member = await whose(`+${number}`);
    const { body } = await askForCode(member);
    const code = `My code is ${body.data.code}`;
    await write(aHiddenMessage(user, said(code)));
    // Without a number, a code proves nothing: it may have been sent from any phone.
    expect(await exported(member)).toEqual([]);
    await write(aMessage(number, said(code, { from_user_id: user })));
    expect(await exported(member)).toEqual([code, code]);

    const { status } = await member.client.send("DELETE", `${apiPrefix}/account`, {
      headers: { ...member.headers, "content-type": "application/json" },
      body: JSON.stringify({ password: aPassword }),
    });
    expect(status).toBe(204);
    expect(await conversationOf(user)).toMatchObject({ name: null, user_id: user });
  });
});
