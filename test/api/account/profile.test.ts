import { describe, expect, test } from "vitest";
import type { PublicCustomer } from "#shared/domain/customer/customer.ts";
import { AddressBooks } from "#shared/storage/customer/addresses.ts";
import { CustomerEmails, Customers } from "#shared/storage/customer/customers.ts";
import { Conversations, Messages } from "#shared/storage/inbox/inbox.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  aPassword,
  type Member,
  aMember,
  bearer,
  logIn,
  statusOfToken,
} from "#test/support/people/members.ts";
import { aConversation } from "#test/support/back-office/whatsapp.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, otherwiseTyped } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, staffAs } = await useShop({ effects: ["mail"] });

type Answer = Data<PublicCustomer> & Problem;

const change = ({ client, headers }: Member, body: object, more = {}) =>
  client.put<Answer>(
    "/account/profile",
    { name: "Ravi K. Iyer", phone: null, ...body },
    { ...headers, ...more },
  );

describe("a customer's profile", () => {
  test("accepts a new name and phone without the password, and other members remain unchanged", async () => {
    const member = await aMember(baseUrl);
    const { status, body, headers } = await change(member, {});
    const { updated_at, ...before } = member.answer.customer;
    expect([status, headers.get("etag")]).toEqual([200, '"v2"']);
    expect(body.data).toEqual({
      ...before,
      name: "Ravi K. Iyer",
      phone: null,
      version: 2,
      updated_at: expect.any(String),
    });
    expect(body.data.updated_at > updated_at).toBe(true);
  });
});

test("requesting a change to another person's email does not use up that person's mail limit", async () => {
  const [owner, stranger] = [await aMember(baseUrl), await aMember(baseUrl)];
  for (let call = 1; call <= 3; call++) {
    const body = {
      name: "Stranger",
      phone: null,
      email: owner.email,
      current_password: aPassword,
    };
    const reply = await stranger.client.put("/account/profile", body, stranger.headers);
    expect(reply.status).toBe(422);
  }
  const resend = "/api/v1/auth/verify-email/resend";
  const reply = await owner.client.send("POST", resend, { headers: owner.headers });
  expect(reply.status).toBe(200);
});

test("PUT replaces the customer's preferences, and the newsletter preference also sets the marketing consent", async () => {
  const { client, headers } = await aMember(baseUrl);
  const preferences = {
    locale: "hi-IN",
    currency: "INR",
    newsletter: true,
    whatsapp_updates: true,
  };
  const reply = await client.put<Answer>("/account/preferences", preferences, headers);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toMatchObject({ preferences, marketing_opt_in: true, version: 2 });
  const wrong = await client.put<Answer>("/account/preferences", { locale: "?" }, headers);
  expect(Object.keys(wrong.body.errors ?? {}).toSorted()).toEqual([
    "locale",
    "newsletter",
    "whatsapp_updates",
  ]);
});

const address = {
  name: "Ravi Iyer",
  phone: "+919812345678",
  line1: "4 Church Street",
  city: "Bengaluru",
  postal_code: "560001",
  country: "IN",
};

const erase = ({ client, headers }: Member, password: string) =>
  client.send<Problem>("DELETE", "/api/v1/account", {
    body: JSON.stringify({ password }),
    headers: { ...headers, "content-type": "application/json" },
  });

describe("deleting an account", () => {
  test("requires the password", async () => {
    const member = await aMember(baseUrl);
    const { status, body } = await erase(member, "not the password");
    expect([status, body.errors]).toEqual([422, { password: ["The password is incorrect."] }]);
    expect(await statusOfToken(baseUrl, member.headers)).toBe(200);
  });

  test("erases personal data, ends every session and frees the email; orders remain without an account", async () => {
    const member = await aMember(baseUrl);
    const { client, headers, id, email } = member;
    const { sku } = await plantProduct(table);
    await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
    const { body } = await client.post<Data<{ order: { id: string; number: string } }>>(
      "/checkout",
      aCheckout({ email }),
      headers,
    );
    const { order } = body.data;
    await client.post("/cart", { items: [{ sku, quantity: 2 }] }, headers);
    await client.post("/addresses", address, headers);
    const product = (await client.get<Data<{ slug: string }[]>>("/products?per_page=1")).body
      .data[0];
    await client.post("/wishlist", { product: product?.slug }, headers);
    const other = bearer((await logIn(baseUrl, email)).body.data.token);

    expect((await erase(member, aPassword)).status).toBe(204);
    expect(await statusOfToken(baseUrl, headers)).toBe(401);
    expect(await statusOfToken(baseUrl, other)).toBe(401);
    expect((await logIn(baseUrl, email)).status).toBe(422);
    expect(await table.get(Customers, { id })).toBeUndefined();
    expect(await table.get(CustomerEmails, { email })).toBeUndefined();
    const left = await table.page(Customers, { partition: `CUSTOMER#${id}` });
    expect(left.records).toEqual([]);

    expect((await table.get(Orders, { id: order.id }))?.customer).toMatchObject({
      id: null,
      email,
    });
    expect((await clientOf(baseUrl).get(`/orders/track/${order.number}`)).status).toBe(200);
    const again = await aMember(baseUrl, { email });
    expect((await again.client.get<Data<unknown[]>>("/orders", again.headers)).body.data).toEqual(
      [],
    );
    expect(await table.get(AddressBooks, { customer: again.id })).toBeUndefined();
  });

  test("removes the name and the links to orders and leads from the conversation with a verified phone; messages remain", async () => {
    const member = await aMember(baseUrl);
    await change(member, { phone: otherwiseTyped(member.phone)[0] });
    const order_id = await anOrder(member, member.phone);
    const { conversation, message } = await aConversation(table, member.phone, order_id);
    const manager = await staffAs("manager");
    await manager.post(`/admin/customers/${member.id}/phone/confirm`, {});

    expect((await erase(member, aPassword)).status).toBe(204);
    expect(await table.get(Conversations, conversation)).toMatchObject({
      phone: conversation.phone,
      name: null,
      order_id: null,
      lead_id: null,
      unread_count: 1,
      last_message: conversation.last_message,
      version: conversation.version + 1,
    });
    expect(await table.get(Messages, message)).toEqual(message);
  });

  test("does not change conversations with a phone that only the profile and a paid order name", async () => {
    const [own, ordered] = [aPerson().phone, aPerson().phone];
    const member = await aMember(baseUrl);
    await change(member, { phone: own });
    const order_id = await anOrder(member, ordered);
    const order = await table.get(Orders, { id: order_id });
    await orderDesk(baseUrl, environment).receive(order_id, order?.totals.grand_total ?? 0);
    const started = await Promise.all(
      [own, ordered].map((phone) => aConversation(table, phone, order_id)),
    );

    expect((await erase(member, aPassword)).status).toBe(204);
    for (const { conversation } of started) {
      expect(await table.get(Conversations, conversation)).toEqual(conversation);
    }
  });

  /** An order that awaits a bank transfer. */
  async function anOrder({ client, headers, email }: Member, phone: string | undefined) {
    const { sku } = await plantProduct(table);
    await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
    const checkout = aCheckout({ email, phone });
    const placed = await client.post<Data<{ order: { id: string } }>>(
      "/checkout",
      checkout,
      headers,
    );
    return placed.body.data.order.id;
  }
});
