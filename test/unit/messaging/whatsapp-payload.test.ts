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
    [
      "order",
      {
        order: {
          catalog_id: "1",
          text: "Before Diwali",
          product_items: [
            { product_retailer_id: "SOFA-1", quantity: 2, item_price: 499.5, currency: "INR" },
            { product_retailer_id: "RUG-2", quantity: "1" },
          ],
        },
      },
      "order",
      "Order from WhatsApp's catalog: 2 items, Before Diwali\n2 × SOFA-1 at 499.5 INR\n1 × RUG-2",
    ],
    [
      "contacts",
      {
        contacts: [
          {
            name: { formatted_name: "Ravi Iyer" },
            org: { company: "Iyer Interiors" },
            phones: [{ phone: "+91 98123 45678", wa_id: "919812345678" }, { wa_id: "14155550100" }],
            emails: [{ email: "ravi@example.com" }],
          },
          { name: { formatted_name: "Asha" } },
        ],
      },
      "contacts",
      "Contact: Ravi Iyer, Iyer Interiors, +91 98123 45678, +14155550100, ravi@example.com; Asha",
    ],
    [
      "interactive",
      {
        interactive: {
          type: "nfm_reply",
          nfm_reply: {
            name: "flow",
            body: "Sent",
            response_json: '{"flow_token":"x","room":"Bedroom","seats":3,"days":["sat","sun"]}',
          },
        },
      },
      "interactive",
      'Answers:\nroom: Bedroom\nseats: 3\ndays: ["sat","sun"]',
    ],
    [
      "interactive",
      { interactive: { type: "nfm_reply", nfm_reply: { body: "Sent", response_json: "{" } } },
      "interactive",
      "Sent",
    ],
    [
      "edit",
      {
        edit: { original_message_id: "wamid.1", message: { type: "text", text: { body: "Two" } } },
      },
      "text",
      "Edited message: Two",
    ],
    ["edit", { edit: { original_message_id: "wamid.1" } }, "unsupported", expect.any(String)],
    [
      "revoke",
      { revoke: { original_message_id: "wamid.1" } },
      "system",
      "Message deleted by the customer",
    ],
    [
      "text",
      {
        text: { body: "Is it in stock?" },
        referral: {
          source_type: "ad",
          headline: "Summer",
          body: "",
          source_url: "https://fb.me/1",
        },
        context: { referred_product: { catalog_id: "1", product_retailer_id: "SOFA-1" } },
      },
      "text",
      "Is it in stock?\n\nAbout the product SOFA-1\n\nCame from an ad: Summer, https://fb.me/1",
    ],
    [
      "unsupported",
      { errors: [{ code: 131051 }] },
      "unsupported",
      'A message of the kind unsupported: [{"code":131051}]',
    ],
    [
      "hologram",
      { hologram: { depth: 3 } },
      "unsupported",
      'A message of the kind hologram: {"depth":3}',
    ],
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
    const original = { original_message_id: "wamid.9" };
    expect(arrivalOf({ type: "revoke", revoke: original })?.reply_to).toBe("wamid.9");
    const edit = { ...original, message: { type: "text", text: { body: "Two" } } };
    expect(arrivalOf({ type: "edit", edit })?.reply_to).toBe("wamid.9");
    const other = { id: "2049", mime_type: "image/jpeg" };
    const picture = { ...original, message: { type: "image", image: other } };
    expect(arrivalOf({ type: "edit", edit: picture })?.media?.id).toBe("2049");
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
