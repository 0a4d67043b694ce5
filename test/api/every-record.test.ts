// @module-tag slow
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import type { Method, Route } from "#shared/http/route.ts";
import { exampleOf, everyCallInput, nameOf, send } from "#test/support/calls/every-call.ts";
import { type Client, type Reply, clientOf } from "#test/support/http/client.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import type { CallInput } from "#test/support/calls/interface-calls.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import type { Problem } from "#test/support/http/answers.ts";

type Proof = Readonly<Record<string, string>>;
type Answered = Partial<Problem> & { data?: Record<string, unknown>; meta?: unknown };

// A separate shop, because some calls change shared records.
let stack: Stack;
let prepare: Awaited<ReturnType<typeof everyCallInput>>;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted", effects: ["mail"] });
  prepare = await everyCallInput(stack.baseUrl, stack.environment);
});
afterAll(() => stack.stop());

const routes = everyRoute.map(({ route }) => route).filter(({ outsideApi }) => !outsideApi);
const routeAt = (method: Method, path: string): Route | undefined =>
  routes.find((route) => route.method === method && route.path === path);
const named = (of: readonly Route[]): [string, Route][] =>
  of.map((route) => [nameOf(route), route]);
const call = (
  route: Route,
  input: CallInput,
  proof: Proof,
  client: Client = clientOf(stack.baseUrl),
) => send(client, route, input, proof) as Promise<Reply<Answered>>;
const statusAndText = ({ status, text }: Reply): string => `${status} ${text}`;
const tagOf = ({ headers }: Reply): string | null => headers.get("etag");

/** The path that writes a record → the path that reads it, where the two differ. */
const readAt: Readonly<Record<string, string>> = {
  "/account/profile": "/auth/me",
  "/account/preferences": "/auth/me",
  "/admin/auth/profile": "/admin/auth/me",
  "/admin/orders/{id}/shipments/{shipment}": "/admin/orders/{id}",
  "/admin/orders/{id}/refunds/{transaction}": "/admin/orders/{id}",
  "/admin/orders/{id}/payment-schedule/{code}": "/admin/orders/{id}",
  "/admin/orders/{id}/lines/{line}": "/admin/orders/{id}",
};

/** PATCH endpoints that refuse an empty body. */
const actionPatches = new Set([
  "PATCH /cart/items",
  "PATCH /admin/inventory/{sku}",
  "PATCH /admin/orders/{id}/refunds/{transaction}",
  "PATCH /admin/orders/{id}/payments/{transaction}",
  "PATCH /admin/orders/{id}/payment-schedule/{code}",
  "PATCH /admin/orders/{id}/lines/{line}",
  "PATCH /admin/returns/{id}",
]);

describe("a PATCH without changes leaves version and updated_at unchanged", () => {
  const patches = routes.filter(({ method }) => method === "PATCH");
  test.each(named(patches))("for %s", async (name, route) => {
    const { input, proof } = await prepare(route);
    const reading = routeAt("GET", readAt[route.path] ?? route.path);
    const read = () => reading && call(reading, { ...input, body: undefined }, proof);
    const before = await read();
    const patched = await call(route, { ...input, body: {} }, proof);
    expect(statusAndText(patched)).toMatch(actionPatches.has(name) ? /^422 / : /^200 /);
    if (!before) return;
    const after = await read();
    expect(before.status).toBe(200);
    expect(after?.body).toEqual(before.body);
    expect(after && tagOf(after)).toBe(tagOf(before));
    if (!actionPatches.has(name)) expect(tagOf(patched)).toBe(tagOf(before));
  });
});

/** The members of a GET response that the PUT replaces: preferences are one member of GET /auth/me. */
const partOf = (route: Route, data: Record<string, unknown>): object =>
  route.path === "/account/preferences" ? (data["preferences"] as object) : data;

describe("a PUT with the body that the GET returned changes nothing", () => {
  const pairs = routes.filter(
    ({ method, path }) => method === "PUT" && routeAt("GET", readAt[path] ?? path),
  );
  test.each(named(pairs))("for %s", async (_name, route) => {
    const { input, proof } = await prepare(route);
    const reading = routeAt("GET", readAt[route.path] ?? route.path) as Route;
    const read = () => call(reading, { ...input, body: undefined }, proof);
    // A document such as the homepage must be written once before its GET returns a body that a PUT accepts.
    if (!input.params) await call(route, input, proof);
    const before = await read();
    expect(statusAndText(before)).toMatch(/^200 /);
    const body = partOf(route, before.body.data ?? {});
    const replaced = await call(route, { ...input, body }, proof);
    expect(statusAndText(replaced)).toMatch(/^200 /);
    const after = await read();
    expect(after.body).toEqual(before.body);
    expect(tagOf(after)).toBe(tagOf(before));

    const readOnly = ["id", "created_at", "published_at"].filter((member) => member in body);
    for (const member of readOnly) {
      const changed = await call(route, { ...input, body: { ...body, [member]: "x" } }, proof);
      expect([changed.status, Object.keys(changed.body.errors ?? {})]).toEqual([422, [member]]);
    }
  });
});

const creating = routes.filter(({ response }) => response.status === 201);

describe("the Location header of a 201 response is the URL of the created record", () => {
  test.each(named(creating))("for %s", async (_name, route) => {
    const { input, proof } = await prepare(route);
    const created = await call(route, input, proof);
    expect(statusAndText(created)).toMatch(/^201 /);
    const location = created.headers.get("location") ?? "";
    const reader = location.startsWith("/api/v1/admin")
      ? (await prepare(routeAt("GET", "/admin/homepage") as Route)).proof
      : { ...proof, ...input.headers, ...tokensOf(created) };
    const read = await clientOf(stack.baseUrl).send("GET", location, { headers: reader });
    expect(statusAndText(read)).toMatch(/^200 /);
  });
});

/** The credentials in the response of a creation. */
function tokensOf({ body, headers }: Reply<Answered>): Proof {
  const cart = headers.get("x-cart-token");
  const { token } = body.data ?? {};
  return {
    ...(cart !== null && { "x-cart-token": cart }),
    ...(cart === null && typeof token === "string" && { authorization: `Bearer ${token}` }),
  };
}

/** Creations that return the record's current state when they are repeated. */
const returnsCurrentRecord = new Set([
  "POST /addresses",
  "POST /checkout",
  "POST /leads",
  "POST /quotes",
  "POST /media/fabric",
  "POST /admin/media",
  "POST /admin/orders/{id}/refunds",
  "POST /orders/{id}/returns",
  "POST /admin/returns",
]);

describe("a repeated creation with the same Idempotency-Key", () => {
  const keyed = creating.filter(({ idempotent }) => idempotent);

  test.each(named(keyed))("by %s succeeds and creates no second record", async (_name, route) => {
    const { input, proof } = await prepare(route);
    const keyed = { ...input, headers: { ...input.headers, "idempotency-key": randomUUID() } };
    const client = clientOf(stack.baseUrl);
    const first = await call(route, keyed, proof, client);
    expect(statusAndText(first)).toMatch(/^201 /);
    const again = await call(route, keyed, proof, client);
    expect(statusAndText(again)).toMatch(/^201 /);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    const { upload: _first, ...record } = first.body.data ?? {};
    const { upload: _again, ...replayed } = again.body.data ?? {};
    expect(replayed).toEqual(record);

    const other = { ...keyed, body: { ...(input.body as object), [otherMember]: "x" } };
    const reused = await call(route, other, proof, client);
    expect(reused.status).toBe(422);
  });
  const otherMember = "no_such_member";

  const changed = keyed.filter(
    (route) => !returnsCurrentRecord.has(nameOf(route)) && routeAt("DELETE", recordOf(route)),
  );
  test.each(named(changed))(
    "by %s returns the first response, even after the record was changed or deleted",
    async (_name, route) => {
      const { input, proof } = await prepare(route);
      const keyed = { ...input, headers: { ...input.headers, "idempotency-key": randomUUID() } };
      const client = clientOf(stack.baseUrl);
      const first = await call(route, keyed, proof, client);
      const location = first.headers.get("location") ?? "";
      const patch = routes.find((one) => one.method === "PATCH" && one.path === recordOf(route));
      const change = (patch && exampleOf(patch)) ?? { name: "Another name" };
      const init = { headers: { "content-type": "application/json", ...proof } };
      const body = JSON.stringify(change);
      const patched = await client.send("PATCH", location, { ...init, body });
      expect(statusAndText(patched)).toMatch(/^200 /);
      const afterChange = await call(route, keyed, proof, client);
      expect([afterChange.status, afterChange.body]).toEqual([201, first.body]);
      expect(tagOf(afterChange)).toBe(tagOf(first));

      const deleted = await client.send("DELETE", location, { headers: proof });
      expect(statusAndText(deleted)).toMatch(/^204 /);
      const afterDeletion = await call(route, keyed, proof, client);
      expect([afterDeletion.status, afterDeletion.body]).toEqual([201, first.body]);
    },
  );

  test("by POST /addresses returns the current address, and 404 once the address is deleted", async () => {
    const route = routeAt("POST", "/addresses") as Route;
    const { input, proof } = await prepare(route);
    const headers = { ...input.headers, "idempotency-key": randomUUID() };
    const client = clientOf(stack.baseUrl);
    const first = await call(route, { ...input, headers }, proof, client);
    const location = first.headers.get("location") ?? "";
    const own = { ...proof, ...input.headers };
    await client.send("PATCH", location, {
      headers: { "content-type": "application/json", ...own },
      body: JSON.stringify({ city: "Mysuru" }),
    });
    const changed = await call(route, { ...input, headers }, proof, client);
    expect(changed.body.data).toMatchObject({ id: first.body.data?.["id"], city: "Mysuru" });
    await client.send("DELETE", location, { headers: own });
    expect((await call(route, { ...input, headers }, proof, client)).status).toBe(404);
  });
});

/** The path of the record that a POST route creates. */
const recordOf = ({ path }: Route): string =>
  routes.find((one) => one.method === "DELETE" && new RegExp(`^${path}/\\{\\w+\\}$`).test(one.path))
    ?.path ?? "";

test("every list route declares and returns `meta`", async () => {
  const lists = routes.filter(
    ({ method, response }) => method === "GET" && response.data instanceof z.ZodArray,
  );
  expect(lists.length).toBeGreaterThan(25);
  expect(lists.filter(({ response }) => !response.meta).map(nameOf)).toEqual([]);
});

describe("a list that is stored as one record", () => {
  test.each([
    "/redirects",
    "/faqs",
    "/categories",
    "/addresses",
    "/admin/roles",
    "/admin/categories",
  ])("is returned whole at %s, or paginated if the request asks for a page", async (path) => {
    const route = routeAt("GET", path) as Route;
    const { proof } = await prepare(route);
    if (path === "/addresses") {
      const post = routeAt("POST", path) as Route;
      const { body } = (await prepare(post)).input;
      for (let count = 0; count < 3; count++) await call(post, { body }, proof);
    }
    type List = { data: unknown[]; meta: { per_page: number; next_cursor: string | null } };
    const page = async (query: string) =>
      (await call(route, { query }, proof)).body as unknown as List;
    // Functions remember public lists for two seconds.
    await soon(async () => {
      const whole = await page("");
      expect(whole.data.length).toBeGreaterThan(2);
      expect(whole.meta).toEqual({ per_page: whole.data.length, next_cursor: null });
      const first = await page("per_page=2");
      expect(first.data).toEqual(whole.data.slice(0, 2));
      const next = await page(`per_page=100&cursor=${first.meta.next_cursor}`);
      expect(next.data).toEqual(whole.data.slice(2));
    });
    const forged = await call(route, { query: "cursor=forged" }, proof);
    expect([forged.status, Object.keys(forged.body.errors ?? {})]).toEqual([422, ["cursor"]]);
  });
});
