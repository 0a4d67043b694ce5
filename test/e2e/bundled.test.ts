// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { consumersOf } from "#test/support/stack/effects.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";

/** End-to-end test of the bundles that the stacks deploy. */
let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    shop: "planted",
    consumers: consumersOf(["catalog-index", "mail", "media"]),
    bundles: await localBundles(),
  });
  await stack.settled();
  client = clientOf(stack.baseUrl);
});

afterAll(() => stack.stop());

test("bundled functions list and show records from indexes that bundled consumers built", async () => {
  const list = await client.get<Data<{ slug: string }[]>>("/products?q=chair&include=facets");
  expect(list.status).toBe(200);
  const [first] = list.body.data;
  const detail = await client.get<Data<{ slug: string }>>(`/products/${first?.slug}`);
  expect(detail.body.data.slug).toBe(first?.slug);
  expect((await client.get("/bootstrap")).status).toBe(200);
  expect((await client.send("GET", "/docs/api.json")).status).toBe(200);
  expect((await client.get("/no/such/thing")).status).toBe(404);
});

test("bundled functions place a cash-on-delivery order and mail its buyer", async () => {
  const { email } = aPerson();
  const shopper = await aShopper(stack.baseUrl, [{ sku: "ACH-KAVERI-LOUNGE-OAT", quantity: 1 }]);
  const placed = await shopper.checkOut({ email, payment_method: "cod" });
  expect(placed.status, placed.text).toBe(201);
  const { order } = placed.body.data;
  const mail = await inboxOf(stack.environment.SES_ENDPOINT).waitFor(email);
  expect(mail.body.text).toContain(order.number);
});

test("bundled functions sign staff in and require their token", async () => {
  const owner = { email: "owner@demo.test", password: "owner-demo-password" };
  const login = await client.post<Data<{ token: string }>>("/admin/auth/login", owner);
  expect(login.status, login.text).toBe(200);
  const orders = (authorization?: string) =>
    client.get("/admin/orders", authorization === undefined ? {} : { authorization });
  expect((await orders(`Bearer ${login.body.data.token}`)).status).toBe(200);
  expect((await orders("Bearer of-nothing")).status).toBe(401);
});

test("bundled functions process an uploaded picture with their native packages", async () => {
  expect(await uploadedPicture(client)).toMatch(/./);
});
