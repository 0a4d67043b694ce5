import { describe, expect, test } from "vitest";
import type { Subscription } from "#shared/domain/marketing/subscription.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { Subscriptions, putSubscription } from "#shared/storage/marketing/subscriptions.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import {
  aPassword,
  type Member,
  aMember,
  aVerifiedMember,
  deleteAccount,
} from "#test/support/people/members.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { waitFor, waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, inbox, staffAs } = await useShop({
  effects: ["mail", "marketing"],
});

const { table } = world;
const link = /\/newsletter\/confirm\?token=([\w-]{43})/;
const sales = await staffAs("sales");

type Answer = Data<{ message: string }> & Problem;
const post = (path: string, body: unknown, headers = {}) =>
  clientOf(baseUrl).post<Answer>(path, body, headers);
const sign = (email: string, overrides = {}, headers = {}) =>
  post("/newsletter", { email, consent: true, source: "footer", ...overrides }, headers);
const stored = (email: string) => table.get(Subscriptions, { email });
const becomes = (email: string, expected: Partial<Subscription>) =>
  waitFor("marketing", async () => expect(await stored(email)).toMatchObject(expected));

/** The tokens in all confirmation mails to an address. */
const letters = async (email: string) =>
  (await inbox.mailsTo(email)).flatMap(({ body }) => link.exec(body.text)?.[1] ?? []);
async function mailedToken(email: string): Promise<string> {
  const mail = await inbox.waitFor(email, ({ body }) => link.test(body.text));
  return link.exec(mail.body.text)?.[1] ?? "";
}

async function aSubscriber(): Promise<{ email: string; token: string }> {
  const { email } = aPerson();
  expect((await sign(email)).status).toBe(202);
  const token = await mailedToken(email);
  expect((await post("/newsletter/confirm", { token })).status).toBe(200);
  return { email, token };
}

/** Posts what mail programs send for one-click unsubscribing. */
const oneClick = (token: string, body?: string) =>
  clientOf(baseUrl).send<Answer>("POST", `/api/v1/unsubscribe/${token}`, {
    ...(body !== undefined && {
      body,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
  });
const unsubscribe = async (email: string) =>
  oneClick((await stored(email))?.token ?? "", "List-Unsubscribe=One-Click");

const preferencesOf = async ({ id }: Member) => (await table.get(Customers, { id }))?.preferences;
const prefer = (member: Member, newsletter: boolean) =>
  member.client.put(
    "/account/preferences",
    { locale: "en-IN", currency: "INR", newsletter, whatsapp_updates: false },
    member.headers,
  );

describe("a newsletter subscription", () => {
  test("starts when the mailed link is confirmed; the mail contains no text that was entered", async () => {
    const { email } = aPerson();
    const reply = await sign(email, { name: "Typed By Somebody" });
    expect([reply.status, reply.body.data.message]).toEqual([202, expect.any(String)]);
    expect(await stored(email)).toMatchObject({ status: "pending", source: "footer" });
    const mail = await inbox.waitFor(email);
    expect(mail.body.text).not.toContain("Typed");
    expect(mail.headers.map(({ name }) => name)).not.toContain("List-Unsubscribe");
    const token = await mailedToken(email);
    expect((await post("/newsletter/confirm", { token })).status).toBe(200);
    expect(await stored(email)).toMatchObject({ status: "subscribed" });
    expect((await post("/newsletter/confirm", { token })).body.errors).toHaveProperty("token");
  });

  test("causes one confirmation mail a day, even if it is requested often and concurrently", async () => {
    const { email } = aPerson();
    const replies = await Promise.all(Array.from({ length: 6 }, () => sign(email)));
    replies.push(await sign(email.toUpperCase()));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await mailedToken(email);
    const pending = await stored(email);
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
    if (!pending) throw new Error("There is no subscription");
    await table.transact(
      putSubscription({ ...pending, letter_at: yesterday, requested_at: yesterday }, pending),
    );
    await sign(email);
    await waitFor("mail", async () => expect(await letters(email)).toHaveLength(2));
  });

  test("is not changed by another request once the address is subscribed", async () => {
    const { email } = await aSubscriber();
    const before = await stored(email);
    expect((await sign(email)).status).toBe(202);
    expect(await stored(email)).toEqual(before);
    expect(await letters(email)).toHaveLength(1);
  });

  test("requires an email and consent, and can be requested five times in ten minutes from one IP address", async () => {
    expect((await sign("no address")).body.errors).toHaveProperty("email");
    expect((await sign(aPerson().email, { consent: false })).body.errors).toHaveProperty("consent");
    const client = clientOf(baseUrl);
    const statuses: number[] = [];
    for (let call = 0; call < 6; call++) {
      const body = { email: aPerson().email, consent: true };
      statuses.push((await client.post("/newsletter", body)).status);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
  });

  test("starts at once for a signed-in customer's own verified email only", async () => {
    const member = await aVerifiedMember({ baseUrl, inbox });
    await sign(member.email, {}, member.headers);
    expect(await stored(member.email)).toMatchObject({ status: "subscribed" });
    expect(await preferencesOf(member)).toMatchObject({ newsletter: true });
    const { email } = aPerson();
    await sign(email, {}, member.headers);
    expect(await stored(email)).toMatchObject({ status: "pending" });
  });
});

describe("unsubscribing", () => {
  test("works with one click of a mail program and with an empty body, repeatedly, and not by opening the link", async () => {
    const { email } = await aSubscriber();
    const token = (await stored(email))?.token ?? "";
    const opened = await clientOf(baseUrl).get<Data<object>>(`/unsubscribe/${token}`);
    expect([opened.status, opened.body.data]).toEqual([200, { ends: "everything" }]);
    expect(await stored(email)).toMatchObject({ status: "subscribed" });
    expect((await unsubscribe(email)).status).toBe(200);
    const ended = await stored(email);
    expect(ended).toMatchObject({ status: "unsubscribed" });
    expect((await oneClick(token)).status).toBe(200);
    expect(await stored(email)).toEqual(ended);
    expect((await oneClick("unknown")).status).toBe(404);
  });

  test("clears the account's newsletter preference, and invalidates confirmation links that were mailed earlier", async () => {
    const member = await aVerifiedMember({ baseUrl, inbox });
    await prefer(member, true);
    await becomes(member.email, { status: "subscribed" });
    await unsubscribe(member.email);
    const customer = await table.get(Customers, { id: member.id });
    expect(customer).toMatchObject({ marketing_opt_in: false, preferences: { newsletter: false } });

    const { email } = aPerson();
    await sign(email);
    const token = await mailedToken(email);
    await unsubscribe(email);
    expect((await post("/newsletter/confirm", { token })).status).toBe(422);
    expect(await stored(email)).toMatchObject({ status: "unsubscribed" });
  });
});

describe("the newsletter preference of an account", () => {
  test("subscribes a verified email when it is set, and unsubscribes the email when it is cleared", async () => {
    const member = await aVerifiedMember({ baseUrl, inbox });
    await prefer(member, true);
    await becomes(member.email, { status: "subscribed", source: "account" });
    await prefer(member, false);
    await becomes(member.email, { status: "unsubscribed" });
    expect(await letters(member.email)).toEqual([]);
  });

  test("that was just created causes a confirmation mail, and verifying the email confirms the subscription too", async () => {
    const member = await aMember(baseUrl, { marketing_opt_in: true });
    await mailedToken(member.email);
    expect(await stored(member.email)).toMatchObject({ status: "pending" });
    const verified = await aVerifiedMember({ baseUrl, inbox }, { marketing_opt_in: true });
    await becomes(verified.email, { status: "subscribed" });
  });

  test("shows a subscription that began without the account, once the account's email is verified", async () => {
    const { email } = await aSubscriber();
    const member = await aVerifiedMember({ baseUrl, inbox }, { email });
    await waitFor("marketing", async () =>
      expect(await preferencesOf(member)).toMatchObject({ newsletter: true }),
    );
    expect(await stored(email)).toMatchObject({ status: "subscribed" });
  });

  test("cannot end a subscription of an email that the account has not verified", async () => {
    const { email } = await aSubscriber();
    const stranger = await aMember(baseUrl, { email, marketing_opt_in: true });
    await prefer(stranger, false);
    // Once the consumer has processed this later change of another account, it has processed the stranger's changes.
    const other = await aVerifiedMember({ baseUrl, inbox });
    await prefer(other, true);
    await becomes(other.email, { status: "subscribed" });
    expect(await stored(email)).toMatchObject({ status: "subscribed" });
  });

  test("unsubscribes the old email when the customer changes the email", async () => {
    const member = await aVerifiedMember({ baseUrl, inbox });
    await prefer(member, true);
    await becomes(member.email, { status: "subscribed" });
    const body = { name: "Ravi Iyer", phone: null, email: aPerson().email };
    const changed = await member.client.put(
      "/account/profile",
      { ...body, current_password: aPassword },
      member.headers,
    );
    expect(changed.status).toBe(200);
    await becomes(member.email, { status: "unsubscribed" });
  });

  test("stays off when staff record the customer's consent, until the customer confirms a mailed link", async () => {
    const manager = await staffAs("manager");
    const member = await aVerifiedMember({ baseUrl, inbox });
    await manager.patch(`/admin/customers/${member.id}`, { marketing_opt_in: true });
    const token = await mailedToken(member.email);
    expect(await stored(member.email)).toMatchObject({ status: "pending" });
    await post("/newsletter/confirm", { token });
    expect(await preferencesOf(member)).toMatchObject({ newsletter: true });
    await manager.patch(`/admin/customers/${member.id}`, { marketing_opt_in: false });
    await becomes(member.email, { status: "unsubscribed" });
  });
});

describe("the marketing consent at checkout", () => {
  test("mails a guest a confirmation link", async () => {
    const { sku } = await plantProduct(table);
    const shopper = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const { email } = aPerson();
    expect((await shopper.checkOut({ email, marketing_opt_in: true })).status).toBe(201);
    const token = await mailedToken(email);
    expect(await stored(email)).toMatchObject({ status: "pending", source: "checkout" });
    await post("/newsletter/confirm", { token });
    expect(await stored(email)).toMatchObject({ status: "subscribed" });
  });
});

describe("newsletter subscribers in the back office", () => {
  test("are not listed once they have expired, although DynamoDB deletes expired rows late", async () => {
    const { email } = aPerson();
    await sign(email);
    const pending = await stored(email);
    if (!pending) throw new Error("The subscription is not stored");
    const listed = async () => {
      const { body } = await sales.get<Data<{ email: string }[]>>(
        "/admin/newsletter/subscribers?status=pending&per_page=100",
      );
      return body.data.map((subscriber) => subscriber.email);
    };
    expect(await listed()).toContain(email);
    const requested_at = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await table.transact(putSubscription({ ...pending, requested_at }, pending));
    expect(await listed()).not.toContain(email);
    expect(await stored(email)).toMatchObject({ status: "pending" });
  });

  test("can be filtered by status, and only confirmed ones are exported, with their unsubscribe links", async () => {
    const { email } = await aSubscriber();
    const pending = aPerson().email;
    await sign(pending);
    type Row = { email: string; status: string };
    const rows = async (path: string) => (await sales.get<Data<Row[]>>(path)).body.data;
    await waitUntil(async () => {
      const listed = await rows("/admin/newsletter/subscribers?per_page=100");
      expect(listed.map((row) => row.email)).toEqual(expect.arrayContaining([email, pending]));
    });
    const confirmed = await rows("/admin/newsletter/subscribers?status=subscribed&per_page=100");
    expect(new Set(confirmed.map(({ status }) => status))).toEqual(new Set(["subscribed"]));
    const exported = await rows("/admin/newsletter/export?per_page=100");
    expect(exported.map((row) => row.email)).not.toContain(pending);
    const { name, source, confirmed_at, token } = (await stored(email))!;
    const unsubscribe_url = `${environment.API_BASE_URL}/api/v1/unsubscribe/${token}`;
    const own = { email, name, source, confirmed_at, unsubscribe_url };
    expect(exported.find((row) => row.email === email)).toEqual(own);
  });
});

test("deleting an account with a verified email deletes its subscription and invalidates its unsubscribe link", async () => {
  const member = await aVerifiedMember({ baseUrl, inbox });
  await prefer(member, true);
  await becomes(member.email, { status: "subscribed" });
  const token = (await stored(member.email))?.token ?? "";
  expect(await deleteAccount(member, aPassword)).toBe(204);
  expect(await stored(member.email)).toBeUndefined();
  expect((await oneClick(token)).status).toBe(404);
});
