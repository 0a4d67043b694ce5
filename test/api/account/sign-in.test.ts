import { describe, expect, test } from "vitest";
import { CustomerEmails, Customers } from "#shared/storage/customer/customers.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  aPassword,
  type AuthReply,
  aMember,
  bearer,
  logIn,
  statusOfToken,
} from "#test/support/people/members.ts";
import { aPerson, tally } from "#test/support/shop/shopping.ts";
import { inOneWindow } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

const register = (body: object): Promise<AuthReply> =>
  clientOf(baseUrl).post("/auth/register", { name: "Asha Rao", password: aPassword, ...body });

describe("registration", () => {
  test("returns a valid token and only the customer's public members", async () => {
    const { email, phone } = aPerson();
    const { status, body, headers } = await register({ email: email.toUpperCase(), phone });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      token: expect.any(String),
      token_type: "Bearer",
      expires_at: expect.any(String),
      customer: {
        id: expect.stringMatching(/^cus_/),
        email,
        email_verified_at: null,
        name: "Asha Rao",
        phone,
        phone_verified_at: null,
        preferences: {
          locale: "en-IN",
          currency: null,
          newsletter: false,
          whatsapp_updates: false,
        },
        marketing_opt_in: false,
        version: 1,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(await statusOfToken(baseUrl, bearer(body.data.token))).toBe(200);
    const days = (Date.parse(body.data.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
  });

  test("refuses an email that an account already has, ignoring case", async () => {
    const { email } = await aMember(baseUrl);
    const { status, body } = await register({ email: email.toUpperCase() });
    expect([status, body.errors]).toEqual([422, { email: ["The email has already been taken."] }]);
  });

  test("refuses passwords that are too short and confirmations that differ", async () => {
    const { email } = aPerson();
    const short = await register({ email, password: "seven77" });
    expect([short.status, Object.keys(short.body.errors ?? {})]).toEqual([422, ["password"]]);
    const other = await register({ email, password_confirmation: "something else" });
    expect([other.status, Object.keys(other.body.errors ?? {})]).toEqual([422, ["password"]]);
  });

  test("creates exactly one account from 50 concurrent requests with one email", async () => {
    const { email } = aPerson();
    const replies = await Promise.all(Array.from({ length: 50 }, () => register({ email })));
    expect(tally(replies)).toEqual({ "201": 1, "422 validation_failed": 49 });
    const winner = replies.find(({ status }) => status === 201)?.body.data.customer.id ?? "";
    expect(await table.get(CustomerEmails, { email })).toMatchObject({ customer_id: winner });
    expect(await table.get(Customers, { id: winner })).toMatchObject({ email, version: 1 });
    expect((await logIn(baseUrl, email)).status).toBe(200);
  });

  test("is limited to 5 requests a minute from one IP address", async () => {
    const replies = await inOneWindow(60, async () => {
      const client = clientOf(baseUrl);
      const answers = [];
      for (let call = 1; call <= 6; call++) answers.push(await client.post("/auth/register", {}));
      return answers;
    });
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429]);
    expect(Number(replies[5]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("login", () => {
  test("returns a new token each time", async () => {
    const member = await aMember(baseUrl);
    const { status, body } = await logIn(baseUrl, ` ${member.email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body.data.customer).toEqual(member.answer.customer);
    expect(body.data).not.toHaveProperty("merge");
    expect(await statusOfToken(baseUrl, bearer(body.data.token))).toBe(200);
    expect(body.data.token).not.toBe(member.answer.token);
  });
});

test("GET /auth/me returns the signed-in customer with a version", async () => {
  const { client, headers, answer } = await aMember(baseUrl);
  const reply = await client.get("/auth/me", headers);
  expect([reply.status, reply.body]).toEqual([200, { data: answer.customer }]);
  expect(reply.headers.get("etag")).toBe('"v1"');
});
