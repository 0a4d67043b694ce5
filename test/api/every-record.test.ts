// @module-tag slow
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import type { Method, Route } from "#shared/http/route.ts";
import { exampleOf, everyCallInput, nameOf, send } from "#test/support/calls/every-call.ts";
import { type Client, type Reply, clientOf } from "#test/support/http/client.ts";
import { everyRoute, paramsOf } from "#test/support/http/every-route.ts";
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

describe("a write with another version in If-Match returns 412 and changes nothing", () => {
  const conditional = routes.filter(
    ({ request: { headers }, path }) =>
      headers instanceof z.ZodObject && "if-match" in headers.shape && path !== "/cart",
  );
  test.each(named(conditional))("for %s", async (_name, route) => {
    const { input, proof } = await prepare(route);
    const reading = routeAt("GET", readAt[route.path] ?? route.path);
    const read = () => reading && call(reading, { ...input, body: undefined }, proof);
    const before = await read();
    const headers = { ...input.headers, "if-match": '"v99"' };
    const { status, text, body } = await call(route, { ...input, headers }, proof);
    expect([status, text]).toEqual([412, expect.anything()]);
    expect(body.code).toBe("version_mismatch");
    if (!before) return;
    const after = await read();
    expect(before.status).toBe(200);
    expect([after?.body, after && tagOf(after)]).toEqual([before.body, tagOf(before)]);
    const { current_version } = body.details ?? {};
    expect(`"v${String(current_version)}"`).toBe(tagOf(before));
  });
});

const creating = routes.filter(({ response }) => response.status === 201);

describe("of concurrent creations with one name, one succeeds", () => {
  const names = ["slug", "code", "from"];
  const nameIn = ({ request: { body } }: Route) =>
    names.find((name) => body instanceof z.ZodObject && name in body.shape);
  const unique = creating.filter(
    (route) => route.access.guard === "staff" && nameIn(route) !== undefined,
  );
  test.each(named(unique))("by %s", async (_name, route) => {
    const { input, proof } = await prepare(route);
    const replies = await Promise.all([1, 2, 3, 4].map(async () => call(route, input, proof)));
    const [made, ...refused] = replies.toSorted((one, other) => one.status - other.status);
    expect([made?.status, made?.text]).toEqual([201, expect.anything()]);
    for (const { status, body } of refused) {
      expect([status, body.code, body.details]).toEqual([
        409,
        "already_exists",
        expect.objectContaining({ path: nameIn(route) }),
      ]);
    }
  });
});

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

describe("requests with one Idempotency-Key", () => {
  const keyed = routes.filter(({ idempotent }) => idempotent);

  test.each(named(keyed))(
    "to %s take effect once, even concurrently, and return one response",
    async (_name, route) => {
      const { input, proof } = await prepare(route);
      const keyed = { ...input, headers: { ...input.headers, "idempotency-key": randomUUID() } };
      const client = clientOf(stack.baseUrl);
      const repeats = [1, 2, 3].map(async () => call(route, keyed, proof, client));
      const replies = [...(await Promise.all(repeats)), await call(route, keyed, proof, client)];
      const first = replies.find(({ headers }) => headers.get("idempotent-replayed") === null)!;
      const { upload: _first, ...record } = first.body.data ?? {};
      for (const reply of replies) {
        // While the gateway makes a refund, only the call that began it has the answer.
        if (reply !== replies.at(-1) && reply.body.code === "in_progress") continue;
        expect([reply.status, reply.text]).toEqual([route.response.status, expect.anything()]);
        expect(reply.headers.get("location")).toBe(first.headers.get("location"));
        const { upload: _again, ...replayed } = reply.body.data ?? {};
        expect(replayed).toEqual(record);
        expect(reply.headers.get("idempotent-replayed")).toBe(reply === first ? null : "true");
      }

      let code: string | undefined;
      for (const body of variantsOf(input.body)) {
        const reused = await call(route, { ...keyed, body }, proof, client);
        expect([reused.status, reused.text]).toEqual([422, expect.anything()]);
        ({ code } = reused.body);
        if (code === "idempotency_key_reused") break;
      }
      expect(code).toBe("idempotency_key_reused");
    },
  );

  const conditional = keyed.filter(
    ({ request: { headers } }) => headers instanceof z.ZodObject && "if-match" in headers.shape,
  );
  test.each(named(conditional))(
    "to %s are answered before If-Match is compared",
    async (_name, route) => {
      const { input, proof } = await prepare(route);
      const keyed = { ...input, headers: { ...input.headers, "idempotency-key": randomUUID() } };
      const client = clientOf(stack.baseUrl);
      const first = await call(route, keyed, proof, client);
      expect(first.status).toBe(route.response.status);
      const headers = { ...keyed.headers, "if-match": '"v99"' };
      const again = await call(route, { ...keyed, headers }, proof, client);
      expect(statusAndText(again)).toMatch(/^20/);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    },
  );

  /** Values of members that accept no other text. */
  const choices = ["whatsapp", "cod", "bank_transfer"];
  /** The body with another value in one place each, names first; not all of them are valid. */
  function variantsOf(body: unknown): unknown[] {
    if (typeof body === "string") return [`${body}x`, ...choices.filter((each) => each !== body)];
    if (typeof body === "number") return [body + 1];
    if (typeof body === "boolean") return [!body];
    if (typeof body !== "object" || body === null) return [];
    const members = Object.entries(body).toSorted(
      ([one], [other]) => Number(other === "name") - Number(one === "name"),
    );
    return members.flatMap(([member, value]) =>
      variantsOf(value).map((changed) =>
        Array.isArray(body) ? body.with(Number(member), changed) : { ...body, [member]: changed },
      ),
    );
  }

  const changed = creating.filter(
    (route) =>
      route.idempotent &&
      !returnsCurrentRecord.has(nameOf(route)) &&
      routeAt("DELETE", recordOf(route)),
  );
  test.each(named(changed))(
    "to %s return the first response, even after the record was changed or deleted",
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

  test("to POST /addresses return the current address, and 404 once the address is deleted", async () => {
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

const paged = routes.filter(
  ({ path, request: { query } }) =>
    query instanceof z.ZodObject && "cursor" in query.shape && !path.includes("{"),
);
describe("a list with a cursor", () => {
  type List = { data: unknown[]; meta: { next_cursor: string | null } };
  /** Lists of which the caller has too few records here; their own tests read their pages. */
  const short = new Set([
    "/addresses",
    "/orders",
    "/wishlist",
    "/admin/sessions",
    "/admin/homepage/versions",
    "/admin/returns",
    "/admin/deliveries",
    "/admin/newsletter/subscribers",
    "/admin/newsletter/export",
  ]);
  const long = paged.filter(({ path }) => !short.has(path));
  test.each(named(long))("has every record once on its pages: %s", async (_name, route) => {
    const creation = routeAt("POST", route.path);
    for (let count = 0; creation?.access.guard === "staff" && count < 3; count++) {
      const { input, proof } = await prepare(creation);
      await call(creation, input, proof);
    }
    const { input, proof } = await prepare(route);
    const page = async (...query: string[]) => {
      const reply = await call(route, { ...input, query: query.join("&") }, proof);
      expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
      return reply.body as unknown as List;
    };
    const { data } = await page("per_page=100");
    const first = await page("per_page=2");
    const next = `cursor=${first.meta.next_cursor}`;
    const second = await page("per_page=2", next);
    expect(data.length).toBeGreaterThan(2);
    expect([...first.data, ...second.data]).toEqual(data.slice(0, 4));
  });

  test.each(named(paged))("refuses a forged cursor: %s", async (_name, route) => {
    const { input, proof } = await prepare(route);
    const query = [input.query, "cursor=forged"].filter(Boolean).join("&");
    const { status, body } = await call(route, { ...input, query }, proof);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["cursor"]]);
  });
});

describe("a write to an unknown record returns 404", () => {
  const writes = routes.filter(
    ({ method, path }) => method !== "GET" && path.includes("{") && path !== "/wishlist/{product}",
  );
  const unlike = (value: string) => value.slice(0, -1) + (value.endsWith("0") ? "1" : "0");
  const places = writes.flatMap((route) =>
    paramsOf(route)
      // Every day of a zone has a record.
      .filter((param) => param !== "date")
      .map((param) => [nameOf(route), param, route] as const),
  );
  test.each(places)("for %s by its %s", async (_name, param, route) => {
    const { input, proof } = await prepare(route);
    const params = { ...input.params, [param]: unlike(input.params?.[param] ?? "") };
    const { status, text } = await call(route, { ...input, params }, proof);
    expect([status, text]).toEqual([404, expect.anything()]);
  });
});

test.each(named(routes.filter(({ idempotent }) => idempotent === "required")))(
  "%s requires an Idempotency-Key",
  async (_name, route) => {
    const { input, proof } = await prepare(route);
    const { "idempotency-key": _key, ...headers } = input.headers ?? {};
    const { status, body } = await call(route, { ...input, headers }, proof);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["Idempotency-Key"]]);
  },
);

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
  });
});
