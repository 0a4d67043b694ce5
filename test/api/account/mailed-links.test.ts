import { describe, expect, test } from "vitest";
import { Buyers } from "#shared/storage/order/buyers.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  aPassword,
  type Member,
  aMember,
  aVerifiedMember,
  bearer,
  deleteAccount,
  logIn,
} from "#test/support/people/members.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, aShopper, tally } from "#test/support/shop/shopping.ts";
import type { OrderSummary } from "#shared/domain/order/view/buyer-order.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { inOneWindow } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, inbox, staffAs } = await useShop({ effects: ["mail"] });

type MessageResponse = Data<{ message: string }> & Problem;
const post = (path: string, body: unknown, headers = {}) =>
  clientOf(baseUrl).post<MessageResponse>(path, body, headers);

/** Waits until `count` links to the page were mailed to an address, and returns them. */
function mailedLinks(email: string, page: "verify-email" | "reset-password", count = 1) {
  const link = new RegExp(`https?://\\S+/${page}\\?token=([\\w-]{43})`);
  return waitFor(
    "mail",
    async () => {
      const mails = await inbox.mailsTo(email);
      const links = mails.flatMap(({ body }) => {
        const [url, token] = link.exec(body.text) ?? [];
        return url && token ? [{ url, token }] : [];
      });
      if (links.length < count)
        throw new Error(`Only ${links.length} links to the page have arrived`);
      return links;
    },
    { interval: 20 },
  );
}

async function mailedLink(email: string, page: "verify-email" | "reset-password") {
  const [link] = await mailedLinks(email, page);
  if (!link) throw new Error("There is no link");
  return link;
}

const newPassword = "an even longer password";
const reset = ({ email }: Member, token: string) =>
  post("/auth/reset-password", { token, email, password: newPassword });

/** A guest with one order. */
async function aGuestOrder(email: string) {
  const { sku } = await plantProduct(table);
  const shopper = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const { body, text } = await shopper.checkOut({ email });
  if (!body.data) throw new Error(text);
  return body.data.order;
}

const ordersOf = async (headers: Record<string, string>) =>
  (await clientOf(baseUrl).get<Data<OrderSummary[]>>("/orders", headers)).body.data.map(
    ({ id }) => id,
  );

test("a mail to an unverified address does not contain the name that was entered", async () => {
  const name = "Claim your Prize";
  const member = await aMember(baseUrl, { name });
  await post("/auth/forgot-password", { email: member.email });
  const { token } = await mailedLink(member.email, "verify-email");
  await mailedLink(member.email, "reset-password");
  for (const { body } of await inbox.mailsTo(member.email)) {
    expect(body.text).toContain("\nHello,\n");
    expect(body.text + body.html).not.toContain(name);
  }

  await post("/auth/verify-email", { token }, member.headers);
  await post("/auth/forgot-password", { email: member.email });
  await mailedLinks(member.email, "reset-password", 2);
  const latest = (await inbox.mailsTo(member.email)).at(-1);
  expect(latest?.body.text).toContain(`Hello ${name},`);
});

describe("verifying an email by mailed link", () => {
  test("adds existing guest orders with that email to the account, but no later guest orders", async () => {
    const { email } = aPerson();
    const before = [await aGuestOrder(email), await aGuestOrder(email)];
    const stranger = await aGuestOrder(aPerson().email);
    const member = await aMember(baseUrl, { email });
    expect(await ordersOf(member.headers)).toEqual([]);

    const { token } = await mailedLink(email, "verify-email");
    expect((await post("/auth/verify-email", { token }, member.headers)).status).toBe(200);
    expect(await ordersOf(member.headers)).toEqual(before.map(({ id }) => id).toReversed());
    const me = await member.client.get<Data<{ email_verified_at: string }>>(
      "/auth/me",
      member.headers,
    );
    expect(me.body.data.email_verified_at).toEqual(expect.any(String));
    expect((await member.client.get(`/orders/${stranger.id}`, member.headers)).status).toBe(404);

    const later = await aGuestOrder(email);
    expect(await ordersOf(member.headers)).not.toContain(later.id);
  });

  test("sends letters about orders under the account's earlier emails to the new one, and staff find them under both", async () => {
    const staff = await staffAs("order_desk");
    const found = async (q: string) => {
      const { body } = await staff.get<Data<{ id: string }[]>>(
        `/admin/orders?q=${encodeURIComponent(q)}`,
      );
      return body.data.map(({ id }) => id).toSorted();
    };
    const member = await aVerifiedMember({ baseUrl, inbox });
    const [unproven, proven, own] = [aPerson().email, aPerson().email, aPerson().email];
    const order = async (email: string) => {
      const { sku } = await plantProduct(table);
      await member.client.post("/cart", { items: [{ sku, quantity: 1 }] }, member.headers);
      const placed = await member.client.post<Data<{ order: { id: string } }>>(
        "/checkout",
        aCheckout({ email }),
        member.headers,
      );
      return placed.body.data.order.id;
    };
    const first = await order(member.email);
    const apart = await order(own);
    const change = (email: string) =>
      member.client.put(
        "/account/profile",
        { name: "Ravi Iyer", phone: null, email, current_password: aPassword },
        member.headers,
      );
    await change(unproven);
    const second = await order(unproven);
    await change(proven);
    expect(await found(proven)).toEqual([]);
    const emailOf = async (id: string) => (await table.get(Orders, { id }))?.customer.email;
    expect([await emailOf(first), await emailOf(second)]).toEqual([member.email, unproven]);

    const { token } = await mailedLink(proven, "verify-email");
    expect((await post("/auth/verify-email", { token }, member.headers)).status).toBe(200);
    expect(await Promise.all([first, second, apart].map(emailOf))).toEqual([proven, proven, own]);
    expect(await found(proven)).toEqual([first, second].toSorted());
    expect([await found(member.email), await found(unproven), await found(own)]).toEqual([
      [first],
      [second],
      [apart],
    ]);
    await member.client.post(`/orders/${first}/cancel`, {}, member.headers);
    await inbox.waitFor(proven, ({ subject }) => subject.includes("cancelled"));
    // Whoever takes over the earlier email gets no orders of the account.
    const next = await aMember(baseUrl, { email: member.email });
    for (const link of await mailedLinks(member.email, "verify-email", 2)) {
      await post("/auth/verify-email", { token: link.token }, next.headers);
    }
    expect(await ordersOf(next.headers)).toEqual([]);
    expect(await ordersOf(member.headers)).toHaveLength(3);
  });

  test("gives nobody the orders of an erased account, whoever proves its email later", async () => {
    const member = await aVerifiedMember({ baseUrl, inbox });
    const { client, headers, email } = member;
    const { sku } = await plantProduct(table);
    await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
    expect((await client.post("/checkout", aCheckout({ email }), headers)).status).toBe(201);
    expect(await ordersOf(headers)).toHaveLength(1);
    expect(await deleteAccount(member, aPassword)).toBe(204);
    const next = await aMember(baseUrl, { email });
    for (const { token } of await mailedLinks(email, "verify-email", 2)) {
      await post("/auth/verify-email", { token }, next.headers);
    }
    expect((await table.get(Customers, next))?.email_verified_at).not.toBeNull();
    expect(await ordersOf(next.headers)).toEqual([]);
  });

  test("requires the account's session: the link alone changes nothing", async () => {
    const { email } = aPerson();
    await aGuestOrder(email);
    const stranger = await aMember(baseUrl, { email });
    const { token } = await mailedLink(email, "verify-email");
    const other = await aMember(baseUrl);
    expect((await post("/auth/verify-email", { token })).status).toBe(401);
    expect((await post("/auth/verify-email", { token }, other.headers)).status).toBe(422);
    expect(await ordersOf(stranger.headers)).toEqual([]);
  });

  test("succeeds once, even with concurrent requests, and adds each order once", async () => {
    const { email } = aPerson();
    const order = await aGuestOrder(email);
    const member = await aMember(baseUrl, { email });
    const { token } = await mailedLink(email, "verify-email");
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => post("/auth/verify-email", { token }, member.headers)),
    );
    expect(tally(replies)).toEqual({ "200": 1, "422 validation_failed": 3 });
    expect(await ordersOf(member.headers)).toEqual([order.id]);
    expect(await table.get(Buyers, { buyer: `customer#${member.id}` })).toEqual({
      orders: 1,
      pending: 1,
    });
  });

  test("is unnecessary after a completed password reset, which also adds the guest orders", async () => {
    const { email } = aPerson();
    const order = await aGuestOrder(email);
    const member = await aMember(baseUrl, { email });
    await post("/auth/forgot-password", { email });
    await reset(member, (await mailedLink(email, "reset-password")).token);
    const { token, customer } = (await logIn(baseUrl, email, newPassword)).body.data;
    expect(customer.email_verified_at).toEqual(expect.any(String));
    expect(await ordersOf(bearer(token))).toEqual([order.id]);
  });

  test("does not add orders that belong to another customer's account", async () => {
    const { email } = aPerson();
    const { sku } = await plantProduct(table);
    const owner = await aMember(baseUrl);
    await owner.client.post("/cart", { items: [{ sku, quantity: 1 }] }, owner.headers);
    const { body } = await owner.client.post<Data<{ order: { id: string } }>>(
      "/checkout",
      aCheckout({ email }),
      owner.headers,
    );
    const member = await aMember(baseUrl, { email });
    const { token } = await mailedLink(email, "verify-email");
    expect((await post("/auth/verify-email", { token }, member.headers)).status).toBe(200);
    expect(await ordersOf(member.headers)).toEqual([]);
    expect(await ordersOf(owner.headers)).toEqual([body.data.order.id]);
  });

  test("can be requested 3 times an hour by the signed-in customer, until the email is verified", async () => {
    const again = ({ headers }: Member) =>
      clientOf(baseUrl).send<MessageResponse>("POST", "/api/v1/auth/verify-email/resend", {
        headers,
      });
    const { member, statuses } = await inOneWindow(3_600, async () => {
      const somebody = await aMember(baseUrl);
      const answers = [];
      for (let call = 1; call <= 4; call++) answers.push((await again(somebody)).status);
      return { member: somebody, statuses: answers };
    });
    expect(statuses).toEqual([200, 200, 200, 429]);
    const [{ token } = { token: "" }] = await mailedLinks(member.email, "verify-email", 4);
    expect((await post("/auth/verify-email", { token }, member.headers)).status).toBe(200);
    expect((await again(member)).body.data.message).toContain("already");
  });
});
