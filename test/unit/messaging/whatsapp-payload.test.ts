import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import { whatsAppNews } from "#shared/messaging/whatsapp-payload.ts";
import { aMessage, aPayload, aStatus } from "#test/support/back-office/whatsapp.ts";

const now = new Date();
const read = (payload: unknown, account: string | null = null) =>
  whatsAppNews(payload, account, now);
const arrivalOf = (message: object) =>
  read(aPayload({ messages: [aMessage("919812345678", message)] })).arrivals[0];

describe("an incoming WhatsApp message is stored as text", () => {
  test.each([
    ["text", { text: { body: "Hello\nthere" } }, "text", "Hello\nthere"],
    ["image", { image: { id: "1", mime_type: "image/jpeg" } }, "image", "Picture"],
    ["image", { image: { id: "1", caption: "This one?" } }, "image", "Picture: This one?"],
    ["audio", { audio: { id: "1", voice: true } }, "audio", "Voice message"],
    ["audio", { audio: { id: "1", voice: false } }, "audio", "Audio"],
    [
      "document",
      { document: { id: "1", filename: "plan.pdf", caption: "Our room" } },
      "document",
      "Document: plan.pdf, Our room",
    ],
    [
      "location",
      { location: { latitude: 12.97, longitude: 77.59, name: "Home" } },
      "location",
      "Location: Home, 12.97, 77.59",
    ],
    [
      "contacts",
      { contacts: [{ name: { formatted_name: "Ravi Iyer" } }, {}] },
      "contacts",
      "Contact: Ravi Iyer",
    ],
    ["button", { button: { text: "Yes", payload: "YES" } }, "button", "Yes"],
    [
      "interactive",
      { interactive: { type: "list_reply", list_reply: { id: "1", title: "Saturday" } } },
      "interactive",
      "Saturday",
    ],
    ["reaction", { reaction: { message_id: "wamid.1", emoji: "👍" } }, "reaction", "Reaction: 👍"],
    ["reaction", { reaction: { message_id: "wamid.1" } }, "reaction", "Reaction removed"],
    [
      "system",
      { system: { body: "Asha changed her number" } },
      "system",
      "Asha changed her number",
    ],
    [
      "order",
      { order: { catalog_id: "1", product_items: [{}, {}] } },
      "order",
      "Order from WhatsApp's catalog: 2 items",
    ],
    ["unsupported", { errors: [{ code: 131051 }] }, "unsupported", expect.any(String)],
    ["hologram", { hologram: {} }, "unsupported", expect.any(String)],
    ["text", { text: { body: 5 } }, "unsupported", expect.any(String)],
  ])("for the type %s: %j", (type, content, kind, text) => {
    expect(arrivalOf({ type, text: undefined, ...content })).toMatchObject({ kind, text });
  });

  test("with references to files and to the message that it replies to", () => {
    const image = { id: "2048", mime_type: "image/jpeg", sha256: "x", caption: "This one?" };
    expect(arrivalOf({ type: "image", image })?.media).toEqual({
      id: "2048",
      content_type: "image/jpeg",
      filename: null,
      caption: "This one?",
      status: "pending",
      reason: null,
      address: null,
    });
    expect(arrivalOf({ context: { id: "wamid.7" } })?.reply_to).toBe("wamid.7");
    const reaction = { message_id: "wamid.8", emoji: "👍" };
    expect(arrivalOf({ type: "reaction", reaction })?.reply_to).toBe("wamid.8");
  });
});

test("a message that is dated in the future gets the current time", () => {
  const timestamp = String(Math.floor(now.getTime() / 1000) + 86_400);
  expect(arrivalOf({ timestamp })?.at).toBe(now.toISOString());
});

test("an unreadable entry of a webhook does not affect the other entries", () => {
  const good = aMessage("919812345678");
  const bad = [{}, null, "x", { ...good, from: "nobody" }, { ...good, timestamp: "yesterday" }];
  const statuses = [aStatus("wamid.1", "sent"), { id: 5 }, aStatus("wamid.2", "deleted")];
  const messages = [...bad, good] as (typeof good)[];
  const news = read(aPayload({ messages: [good], statuses }));
  expect([news.arrivals.length, news.statuses.length, news.unreadable]).toEqual([1, 1, 2]);
  const payload = aPayload({ messages: [good] });
  Object.assign(payload.entry[0]?.changes[0]?.value ?? {}, { messages });
  expect(read(payload)).toMatchObject({ arrivals: [{ whatsapp_id: good.id }], unreadable: 5 });
});

test("any webhook body is parsed without throwing", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void read(value)));
  const inside = fc.jsonValue().map((value) => ({
    entry: [{ id: "1", changes: [{ field: "messages", value }] }],
  }));
  fc.assert(fc.property(inside, (value) => void read(value)));
});

test("webhook entries of another WhatsApp account are ignored", () => {
  const payload = aPayload({ messages: [aMessage("919812345678")] });
  const [entry] = payload.entry;
  expect(read(payload, entry?.id ?? "").arrivals).toHaveLength(1);
  expect(read(payload, "999999999").arrivals).toEqual([]);
});

test("a status has WhatsApp's message id, and our own id if WhatsApp returned it", () => {
  const key = { conversation_id: newId("conv", now), id: newId("msg", now) };
  const biz_opaque_callback_data = `${key.conversation_id}/${key.id}`;
  const statuses = [
    aStatus("wamid.1", "delivered", { biz_opaque_callback_data }),
    aStatus("wamid.2", "read", { biz_opaque_callback_data: "somebody else's" }),
    aStatus("wamid.3", "failed", { errors: [{ code: 131_047, title: "Re-engagement message" }] }),
    aStatus("wamid.4", "failed"),
  ];
  expect(read(aPayload({ statuses })).statuses).toMatchObject([
    { whatsapp_id: "wamid.1", state: "delivered", key, failure: null },
    { whatsapp_id: "wamid.2", state: "read", key: undefined },
    { state: "failed", failure: { code: "131047", message: "Re-engagement message" } },
    { state: "failed", failure: { code: "unknown", message: "WhatsApp gave no reason." } },
  ]);
});
