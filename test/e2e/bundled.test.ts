// @module-tag emulator
// @module-tag slow
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { authorizer, type Family, families } from "#functions/families.ts";
import { bundledFunctions } from "#infra/local/functions/bundled-functions.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { Document } from "#shared/domain/document/document.ts";
import type { PublicSettings } from "#shared/domain/settings/settings-groups.ts";
import { type Resource, resourceOf } from "#shared/http/resource.ts";
import { type Route, routeKey } from "#shared/http/route.ts";
import { openQueue } from "#shared/queues/queue.ts";
import { MailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { exported } from "#test/support/back-office/exports.ts";
import { type Call, everyCall } from "#test/support/calls/every-call.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { type Client, clientOf, fileOfDocument } from "#test/support/http/client.ts";
import { withoutSockets } from "#test/support/http/in-process.ts";
import { aMember, aPassword, deleteAccount } from "#test/support/people/members.ts";
import { type StaffClient, type World, staffClient, worldOf } from "#test/support/people/people.ts";
import { onlineBuyers, storyOf } from "#test/support/shop/placed-orders.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";
import { withSeenCalls } from "#test/support/stack/called-functions.ts";
import { soon, waitFor, waitUntil } from "#test/support/stack/wait-until.ts";

/**
 * What only a bundle can break: that it loads, with its parts, packages and the modules of each resource. What the
 * functions do is tested with the sources.
 */
const bundles = bundledFunctions(await localBundles());
const answered = new Set<string>();

/** Notes a function that has answered without a failure of the server. */
async function noteAnswer(name: string, answer: Promise<unknown>): Promise<void> {
  const [outcome] = await Promise.allSettled([answer]);
  if (outcome.status === "rejected") return;
  const { statusCode = 200 } = (outcome.value ?? {}) as { statusCode?: number };
  if (statusCode < 500) answered.add(name);
}

let stack: Stack;
let world: World;
let client: Client;
let owner: StaffClient;
let prepare: (route: Route) => Promise<Call>;
beforeAll(async () => {
  const functions = withSeenCalls(bundles, (name, answer) => void noteAnswer(name, answer));
  stack = withoutSockets(
    await startStack({ shop: "planted", consumers: consumersOf(everyEffect), functions }),
  );
  await stack.settled();
  world = worldOf(stack.environment);
  client = clientOf(stack.baseUrl);
  owner = await staffClient(stack.baseUrl, world, "owner");
  prepare = await everyCall(stack.baseUrl, stack.environment);
});
afterAll(async () => {
  await stack.stop();
  await bundles.stop();
});

/** Routes whose records the calls of `test/support/calls` do not create. Tests below call them. */
const calledBelow = new Set([
  "/admin/exports/{type}",
  "/admin/customers/{id}/export",
  "/admin/orders/{id}/documents",
  "/admin/quotes/{id}/documents",
]);

/** One route of each resource of a family: one that writes if there is one, because it needs more parts. */
function oneOfEach({ resources, routes }: Family): [key: string, Route][] {
  const writesFirst = routes.toSorted(
    (one, other) => Number(one.method === "GET") - Number(other.method === "GET"),
  );
  const chosen = new Map<Resource | undefined, Route>();
  for (const route of writesFirst) {
    const resource = resourceOf(resources, routeKey(route));
    if (!chosen.has(resource)) chosen.set(resource, route);
  }
  return [...chosen.values()]
    .filter(({ path }) => !calledBelow.has(path))
    .map((route) => [routeKey(route), route]);
}

test.each(families.flatMap(oneOfEach))("its bundle answers %s", async (_key, route) => {
  const call = await prepare(route);
  const { status, text } = await call(stack.baseUrl);
  expect(status, text).toBeLessThan(400);
});

test("bundled functions list and show records from indexes that bundled consumers built", async () => {
  const list = await client.get<Data<{ slug: string }[]>>("/products?q=chair&include=facets");
  expect(list.status).toBe(200);
  const [first] = list.body.data;
  const detail = await client.get<Data<{ slug: string }>>(`/products/${first?.slug}`);
  expect(detail.body.data.slug).toBe(first?.slug);
  expect((await client.get("/no/such/thing")).status).toBe(404);
});

test("bundled functions place an order once, mail its buyer and draw its confirmation", async () => {
  const { email, phone } = aPerson();
  const shopper = await aShopper(stack.baseUrl, [{ sku: "ACH-KAVERI-LOUNGE-OAT", quantity: 1 }]);
  const key = { "idempotency-key": randomUUID() };
  const placing = () => shopper.checkOut({ email, phone, payment_method: "cod" }, key);
  const [placed, again] = [await placing(), await placing()];
  expect(placed.status, placed.text).toBe(201);
  expect(again.body).toEqual(placed.body);
  const { order } = placed.body.data;
  const mail = await inboxOf(stack.environment.SES_ENDPOINT).waitFor(email);
  expect(mail.body.text).toContain(order.number);

  const { body } = await owner.get<Data<Document[]>>(`/admin/orders/${order.id}/documents`);
  const [confirmation] = body.data;
  const file = await waitFor("documents", () => fileOfDocument(stack.baseUrl, confirmation!));
  expect(file.subarray(0, 5).toString()).toBe("%PDF-");
});

test("bundled functions take a payment through Stripe's package and its webhook", async () => {
  const { stripe, buy } = onlineBuyers(stack.baseUrl, stack.environment);
  const { secret, read } = await buy();
  await stripe.pay(secret);
  await waitUntil(async () =>
    expect(storyOf(await read())).toMatchObject({ payment_status: "paid" }),
  );
});

test("bundled functions require a token that the bundled authorizer accepts", async () => {
  const orders = (authorization?: string) =>
    client.get("/admin/orders", authorization === undefined ? {} : { authorization });
  expect((await owner.get("/admin/orders")).status).toBe(200);
  expect((await orders()).status).toBe(401);
  expect((await orders("Bearer of-nothing")).status).toBe(401);
});

test("bundled functions process an uploaded picture with their native packages", async () => {
  expect(await uploadedPicture(client)).toMatch(/./);
});

test("bundled functions export orders, a customer and the documents of a quote", async () => {
  expect((await exported(owner, "orders")).records).toBeGreaterThan(0);
  const firstOf = async (list: string) =>
    (await owner.get<Data<{ id: string }[]>>(list)).body.data[0]?.id;
  for (const path of [
    `/admin/customers/${await firstOf("/admin/customers")}/export`,
    `/admin/quotes/${await firstOf("/admin/quotes")}/documents`,
  ]) {
    const { status, text } = await owner.get(path);
    expect([path, status], text).toEqual([path, 200]);
  }
});

test("a setting that one bundle saves reaches another, which has memories of its own", async () => {
  const bootstrap = async () => (await client.get<Data<PublicSettings>>("/bootstrap")).body.data;
  await bootstrap();
  const { data } = (await owner.get<Data<{ name: string }>>("/admin/settings/store")).body;
  const saved = await owner.put("/admin/settings/store", { ...data, name: "Bundled Chairs" });
  expect(saved.status, saved.text).toBe(200);
  await soon(async () => expect((await bootstrap()).store.name).toBe("Bundled Chairs"));
});

test("a bounce that SES reports blocks further mail", async () => {
  const { email } = aPerson();
  const { SQS_ENDPOINT: endpoint, OUTBOX_QUEUE_URL } = stack.environment;
  const queue = openQueue({ url: OUTBOX_QUEUE_URL.replace("outbox", "mail-events"), endpoint });
  const recipients = [{ emailAddress: email, action: "failed", status: "5.1.1" }];
  const bounce = { bounceType: "Permanent", bounceSubType: "General" };
  await queue.send([
    { eventType: "Bounce", bounce: { ...bounce, bouncedRecipients: recipients }, mail: {} },
  ]);
  await waitFor("mail-events", async () =>
    expect(await world.table.get(MailBlocks, { email })).toBeDefined(),
  );
});

test("bundled functions delete an account", async () => {
  expect(await deleteAccount(await aMember(stack.baseUrl), aPassword)).toBe(204);
});

test("every function of the manifest has answered a call as a bundle", async () => {
  const every = [authorizer, ...families, ...consumers].map(({ name }) => name);
  await waitUntil(() => expect(every.filter((name) => !answered.has(name))).toEqual([]), {
    limitMs: 60_000,
  });
});
