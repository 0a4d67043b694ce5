import { asResource } from "#test/support/stack/toy-service.ts";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { parsedBy, parsedJson } from "#shared/domain/base/parsed-json.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { wireAnswer } from "#infra/local/gateway/http-api-answer.ts";
import type { Resource } from "#shared/http/resource.ts";
import { anyone, optionalCustomer, route, staff } from "#shared/http/route.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  type EventParts,
  type Problem,
  aContext,
  anEvent,
  invoke,
} from "#test/support/http/in-process.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

interface Deps extends FrameDeps {
  answer: () => unknown;
}

const Chair = z.object({ name: z.string(), image: z.string().optional() });
const ListMeta = z.object({ total: z.int(), picture: z.string() });
const omit = (event: object, member: string) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name !== member));
const handled: unknown[] = [];
const logged: { message: string; facts: Record<string, unknown> }[] = [];
let answer: () => unknown;
let calls: number;
let counted: string[];

const getChair = route({
  method: "GET",
  path: "/chairs/{slug}",
  summary: "One chair",
  access: anyone,
  cache: "public",
  request: { params: z.object({ slug: z.string().max(10) }) },
  response: { status: 200, data: Chair },
  handle: async (_call, { answer }: Deps) => ({ data: answer() as z.output<typeof Chair> }),
});
const addChair = route({
  method: "POST",
  path: "/chairs",
  summary: "Add a chair",
  access: optionalCustomer,
  idempotent: true,
  limit: "coupon",
  request: { body: z.strictObject({ name: z.string(), tags: z.array(z.string()).optional() }) },
  response: { status: 201, data: Chair },
  async handle(call, { answer }: Deps) {
    handled.push(call);
    const given = answer();
    return { data: call.body, version: 3, headers: { Location: "/x" }, ...(given as object) };
  },
});
const removeChair = route({
  method: "DELETE",
  path: "/chairs/{slug}",
  summary: "Remove a chair",
  access: anyone,
  request: { params: z.object({ slug: z.string() }) },
  response: { status: 204 },
  handle: async (_call, _deps: Deps) => undefined,
});
const rawChair = route({
  method: "GET",
  path: "/ready",
  summary: "List chairs that are serialized already",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, data: z.array(Chair), meta: ListMeta, serialized: true },
  handle: async (_call, _deps: Deps) => ({
    rows: ["Oslo", "Bergen"].map((name) => parsedJson(parsedBy(Chair, { name }))),
    meta: { total: 2, picture: "media://a.webp", pk: "LIVE" },
  }),
});

const staffChair = route({
  method: "PUT",
  path: "/admin/chairs",
  summary: "Replace a chair",
  access: staff(null),
  request: { body: Chair },
  response: { status: 200, data: Chair },
  async handle(call, _deps: Deps) {
    handled.push(call.body);
    return { data: call.body };
  },
});

const takeBytes = route({
  method: "POST",
  path: "/hooks/chairs",
  outsideApi: true,
  summary: "Bytes as they were sent",
  access: anyone,
  request: { raw: { maxBytes: 300 * 1024 } },
  response: { status: 200, text: true },
  async handle({ rawBody }, _deps: Deps) {
    return { text: JSON.stringify(rawBody.toString("hex")) };
  },
});

const payChair = route({
  method: "POST",
  path: "/chairs/payments",
  summary: "Pay for a chair",
  access: anyone,
  idempotent: "required",
  request: {},
  response: { status: 204 },
  async handle(call, _deps: Deps) {
    handled.push(call);
  },
});

const slowChair = route({
  method: "GET",
  path: "/slow-chair",
  summary: "A chair that takes its time",
  access: anyone,
  request: {},
  response: { status: 200, data: Chair },
  handle: async (_call, { answer }: Deps) => ({ data: (await answer()) as z.output<typeof Chair> }),
});

const routes = [
  slowChair,
  getChair,
  addChair,
  removeChair,
  rawChair,
  staffChair,
  takeBytes,
  payChair,
];
let connections = 0;
const handler = serve(asResource(...routes), () => {
  connections += 1;
  return {
    answer: () => answer(),
    mediaBaseUrl: "https://media.test",
    everyRoute: routes,
    customerIdentity: {
      readToken: async () => undefined,
      sessionState: async () => undefined,
    },
    staffIdentity: { sessionState: async () => ({ permissions: [] }) },
    rates: {
      async increment({ caller }) {
        counted.push(caller);
        return calls;
      },
    },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, facts = {}) => logged.push({ message, facts }),
    },
  };
});

/** A function that does not answer requests without a route. */
const bare = serve(asResource(...routes), () => ({
  answer: () => answer(),
  mediaBaseUrl: "https://media.test",
}));

const call = <Body = { data: { name: string; image?: string } }>(key: string, parts?: EventParts) =>
  invoke<Body>(handler, anEvent(key, parts));
const get = (parts: EventParts = {}) =>
  call("GET /api/v1/chairs/{slug}", { params: { slug: "oslo" }, ...parts });
const post = (parts: EventParts) => call<Problem>("POST /api/v1/chairs", parts);

beforeEach(() => {
  handled.length = 0;
  logged.length = 0;
  counted = [];
  calls = 1;
  answer = () => ({ name: "Oslo" });
});

test("media URLs of responses are accepted in requests by staff and stored as keys", async () => {
  const chair = { name: "See https://media.test/a", image: "https://media.test/a/b.webp" };
  const verdict = { guard: "staff", subject: "stf_1", session: "ses_1", role: "owner" } as const;
  const reply = await call("PUT /api/v1/admin/chairs", { body: chair, verdict });
  expect(handled).toEqual([{ ...chair, image: "media://a/b.webp" }]);
  expect(reply.body).toEqual({ data: chair });
});

describe("a response with an error status", () => {
  const counts = () => {
    const printed = vi.spyOn(console, "log").mockReturnValue();
    vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "furniture-dev");
    vi.stubEnv("POWERTOOLS_SERVICE_NAME", "chairs");
    // All tests set POWERTOOLS_DEV, which disables metrics unless this variable is "false".
    vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
    onTestFinished(() => {
      printed.mockRestore();
      vi.unstubAllEnvs();
    });
    return () =>
      printed.mock.calls
        .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
        .filter((line) => "ServerErrors" in line);
  };

  test("is counted for the alarm on the function's deployments if it is a 5xx, because Lambda counts it as a success", async () => {
    const counted = counts();
    answer = () => {
      throw new Error("broken");
    };
    expect((await get()).status).toBe(500);
    expect(counted()).toEqual([expect.objectContaining({ service: "chairs", ServerErrors: 1 })]);
  });

  test("is not counted if it is a 404", async () => {
    const counted = counts();
    answer = () => {
      throw new AppError("not_found");
    };
    expect((await get()).status).toBe(404);
    expect(counted()).toEqual([]);
  });
});

describe("a response", () => {
  test("contains only declared members", async () => {
    answer = () => ({ name: "Oslo", cost: 100, pk: "LIVE" });
    expect((await get()).body).toEqual({ data: { name: "Oslo" } });
  });

  test("contains URLs instead of stored media addresses, and other texts unchanged", async () => {
    const name = 'See "media://a.webp" media://b';
    answer = () => ({ name, image: "media://a/b.webp" });
    expect((await get()).body.data).toEqual({ name, image: "https://media.test/a/b.webp" });
  });

  test("contains serialized rows only if the route declares them and a schema has validated them", () => {
    const rows = ['{"name":"Oslo","cost":100}'];
    const list = { method: "GET", path: "/list", summary: "List chairs", access: anyone } as const;
    const response = { status: 200, data: z.array(Chair) } as const;
    const meta = { total: 1, picture: "" };
    // @ts-expect-error -- the route does not declare `serialized`
    route({ ...list, request: {}, response, handle: async () => ({ rows, meta }) });
    const declared = { ...response, meta: ListMeta, serialized: true } as const;
    // @ts-expect-error -- a text that no schema has parsed
    route({ ...list, request: {}, response: declared, handle: async () => ({ rows, meta }) });
    // @ts-expect-error -- a value that no schema has parsed
    expect(parsedJson({ name: "Oslo" })).toBe('{"name":"Oslo"}');
    expect(parsedJson(parsedBy(Chair, JSON.parse(rows[0] ?? "")))).toBe('{"name":"Oslo"}');
  });

  test("is a 500 if a declared member is missing", async () => {
    answer = () => ({});
    const { status, body } = await get();
    expect(status).toBe(500);
    expect(body).toEqual({
      message: "Something went wrong on our side.",
      code: "server_error",
      request_id: "req-1",
    });
  });

  test("has the status, version and headers that the handler returned", async () => {
    answer = () => ({ status: 200 });
    const { status, headers } = await post({ body: { name: "Oslo" } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ETag: '"v3"',
      Location: "/x",
      "Cache-Control": "private, no-store",
    });
  });

  test("with status 204 has neither body nor content type", async () => {
    const { status, headers, body } = await call("DELETE /api/v1/chairs/{slug}", {
      params: { slug: "oslo" },
    });
    expect([status, body, headers["Content-Type"]]).toEqual([204, undefined, undefined]);
  });

  test("has a request id and security headers", async () => {
    for (const { headers } of [
      await get(),
      await post({ body: "{" }),
      await call("$default", { path: "/x" }),
    ]) {
      expect(headers).toMatchObject({
        "X-Request-Id": "req-1",
        "X-Content-Type-Options": "nosniff",
        "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
        "Referrer-Policy": "no-referrer",
      });
    }
  });
});

test("a response that Lambda could not return is a 413, by its size once it is encoded as JSON", async () => {
  const sized = async (name: string) => {
    answer = () => ({ name });
    const reply = await handler(
      anEvent("GET /api/v1/chairs/{slug}", { params: { slug: "oslo" } }),
      aContext(),
    );
    return [reply.statusCode, wireAnswer(reply) !== undefined];
  };
  const megabyte = 1024 * 1024;
  expect(await sized("x".repeat(5.9 * megabyte))).toEqual([200, true]);
  expect(await sized("x".repeat(6 * megabyte))).toEqual([413, true]);
  // A quote takes two bytes in JSON, and four in JSON within JSON.
  expect(await sized('"'.repeat(1.4 * megabyte))).toEqual([200, true]);
  expect(await sized('"'.repeat(1.6 * megabyte))).toEqual([413, true]);
  expect(await sized("\u0001".repeat(0.8 * megabyte))).toEqual([200, true]);
  expect(await sized("अ".repeat(2 * megabyte))).toEqual([413, true]);
});

describe("a public response", () => {
  test("has a hash of its bytes as ETag", async () => {
    const [one, same] = [await get(), await get()];
    answer = () => ({ name: "Bergen" });
    const other = await get();
    expect(one.headers["ETag"]).toMatch(/^"[\w-]{27}"$/);
    expect(same.headers["ETag"]).toBe(one.headers["ETag"]);
    expect(other.headers["ETag"]).not.toBe(one.headers["ETag"]);
    expect(one.headers["Cache-Control"]).toBe("public, max-age=5, stale-while-revalidate=30");
  });

  test("is a 304 without a body if If-None-Match contains the ETag, in any valid form", async () => {
    const tag = (await get()).headers["ETag"] ?? "";
    for (const known of [tag, `W/${tag}`, `"old", ${tag}`, "*"]) {
      const { status, headers, body } = await get({ headers: { "if-none-match": known } });
      expect([status, body, headers["ETag"]]).toEqual([304, undefined, tag]);
      expect(headers).not.toHaveProperty("Content-Type");
    }
    expect((await get({ headers: { "if-none-match": '"old"' } })).status).toBe(200);
  });

  test("has an ETag and validated members even if its rows are serialized", async () => {
    const { headers, body } = await call("GET /api/v1/ready");
    expect(body).toEqual({
      data: [{ name: "Oslo" }, { name: "Bergen" }],
      meta: { total: 2, picture: "https://media.test/a.webp" },
    });
    expect(headers["ETag"]).toBeDefined();
  });

  test("is never cached if it is an error", async () => {
    answer = () => {
      throw new AppError("not_found");
    };
    const { headers } = await get();
    expect(headers["Cache-Control"]).toBe("private, no-store");
    expect(headers).not.toHaveProperty("ETag");
  });
});

describe("an error response", () => {
  test("has code, message, details and headers", async () => {
    answer = () => {
      throw new AppError("insufficient_stock", {
        details: { available: 2 },
        headers: { "X-A": "b" },
      });
    };
    const { status, body, headers } = await post({ body: { name: "x" } });
    expect(status).toBe(409);
    expect(body).toEqual({
      message: "There is not enough stock for this order.",
      code: "insufficient_stock",
      details: { available: 2 },
      request_id: "req-1",
    });
    expect(headers["X-A"]).toBe("b");
  });

  test("contains only the request id for an unexpected error, which is logged in full", async () => {
    answer = () => {
      throw new TypeError("secret at /srv/app.ts:1");
    };
    const { status, body } = await post({ body: { name: "x" } });
    expect([status, body.code]).toEqual([500, "server_error"]);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(logged).toHaveLength(1);
    expect(logged[0]?.facts).toMatchObject({ route: "POST /api/v1/chairs", request_id: "req-1" });
    expect(String(logged[0]?.facts["cause"])).toContain("secret");
  });

  test.each([400, 415, 422])(
    "is a logged 500 if a library throws an error with status %i",
    async (statusCode) => {
      answer = () => {
        throw Object.assign(new Error("No such customer: cus_1"), { statusCode });
      };
      const reply = await invoke<Problem>(
        handler,
        anEvent("POST /api/v1/chairs", { body: { name: "Oslo" } }),
      );
      expect([reply.status, reply.body.code]).toEqual([500, "server_error"]);
      expect(reply.body.message).not.toContain("cus_1");
      expect(logged.map(({ facts }) => String(facts["cause"]))).toEqual([
        "Error: No such customer: cus_1",
      ]);
    },
  );

  test("is a logged 503 with the request id if the request exceeds its deadline", async () => {
    answer = () => new Promise(() => undefined);
    const event = anEvent("GET /api/v1/slow-chair");
    const reply = await handler(event, aContext(0.6));
    expect(reply).toMatchObject({
      statusCode: 503,
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    });
    expect(JSON.parse(reply.body ?? "")).toEqual({
      code: "unavailable",
      message: expect.any(String),
      request_id: event.requestContext.requestId,
    });
    expect(logged).toHaveLength(1);
  });

  test("is a 503 with Retry-After if storage is unavailable", async () => {
    answer = () => {
      throw new Unavailable("table", { retryAfterSeconds: 7 });
    };
    const { status, body, headers } = await post({ body: { name: "x" } });
    expect([status, body.code, headers["Retry-After"]]).toEqual([503, "unavailable", "7"]);
  });

  test("is not logged as an error if the caller caused it", async () => {
    answer = () => {
      throw invalidField("name", "No.");
    };
    expect((await post({ body: { name: "x" } })).body.errors).toEqual({ name: ["No."] });
    expect(logged).toEqual([]);
  });

  test("is a 404 for an unknown path, and a 405 with an Allow header for an undeclared method", async () => {
    const unknown = await call<Problem>("$default", { path: "/api/v1/tables" });
    expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
    const known = await call<Problem>("$default", { path: "/api/v1/chairs/oslo" });
    expect([known.status, known.body.code, known.headers["Allow"]]).toEqual([
      405,
      "method_not_allowed",
      "GET, DELETE",
    ]);
  });

  test("is the route's for a method that API Gateway sends by a route for every method of the path", async () => {
    const { status, headers } = await invoke<Problem>(bare, {
      ...anEvent("GET /api/v1/chairs/{slug}", { path: "/api/v1/chairs/oslo" }),
      routeKey: "ANY /api/v1/chairs/{slug}",
      pathParameters: { slug: "oslo" },
    });
    expect([status, headers["Allow"]]).toEqual([200, undefined]);
    const refused = await invoke<Problem>(bare, {
      ...anEvent("PUT /api/v1/chairs/{slug}", { path: "/api/v1/chairs/oslo" }),
      routeKey: "ANY /api/v1/chairs/{slug}",
    });
    expect([refused.status, refused.body.code, refused.headers["Allow"]]).toEqual([
      405,
      "method_not_allowed",
      "GET, DELETE",
    ]);
  });

  test("needs only the resource of the path for an undeclared method", async () => {
    const tables: Resource<Deps> = {
      paths: ["/tables"],
      load: () => Promise.reject(new Error("It was loaded")),
    };
    const chairs = { paths: ["/chairs/{slug}"], load: async () => ({ routes }) };
    const handler = serve([chairs, tables], () => ({ answer: () => answer() }));
    const { status, headers } = await invoke<Problem>(handler, {
      ...anEvent("PUT /api/v1/chairs/{slug}", { path: "/api/v1/chairs/oslo" }),
      routeKey: "ANY /api/v1/chairs/{slug}",
    });
    expect([status, headers["Allow"]]).toEqual([405, "GET, DELETE"]);
  });

  test("names in Allow only the methods of the static route if a path pattern also matches", async () => {
    const { status, headers } = await call<Problem>("$default", {
      path: "/api/v1/chairs/payments",
    });
    expect([status, headers["Allow"]]).toEqual([405, "POST"]);
  });
});

test.each([
  "body",
  "cookies",
  "headers",
  "isBase64Encoded",
  "pathParameters",
  "queryStringParameters",
  "stageVariables",
])(
  "an event that a tool has written with %s null is answered as one without it",
  async (member) => {
    const statusOf = async (event: object) =>
      (await handler(event as Parameters<typeof handler>[0], aContext())).statusCode;
    for (const event of [
      anEvent("GET /api/v1/ready"),
      anEvent("DELETE /api/v1/chairs/{slug}", { params: { slug: "oslo" } }),
      anEvent("POST /hooks/chairs", { body: "x" }),
      anEvent("POST /api/v1/chairs", { body: { name: "Oslo" } }),
      anEvent("$default", { path: "/api/v1/nowhere" }),
    ]) {
      const without = { headers: {}, ...omit(event, member) };
      expect(await statusOf({ ...event, [member]: null })).toBe(await statusOf(without));
    }
  },
);

describe("a request body", () => {
  test.each([
    ["broken JSON", { body: '{"name":' }, 400, "malformed_json"],
    ["no body", { headers: { "content-type": "application/json" } }, 400, "malformed_json"],
    [
      "text instead of JSON",
      { body: "{}", headers: { "content-type": "text/plain" } },
      415,
      "unsupported_media_type",
    ],
    [
      "no content type",
      { body: "{}", headers: { "content-type": "" } },
      415,
      "unsupported_media_type",
    ],
    ["an unknown member", { body: { name: "x", price: 1 } }, 422, "validation_failed"],
    ["a list", { body: [] }, 422, "validation_failed"],
    ["null", { body: "null" }, 422, "validation_failed"],
    [
      "a `__proto__` member",
      { body: '{"name":"x","__proto__":{"a":1}}' },
      422,
      "validation_failed",
    ],
  ])("is refused: %s", async (_kind, parts, status, code) => {
    const reply = await post(parts);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(handled).toEqual([]);
  });

  test("may have a content type that ends in +json or has parameters", async () => {
    for (const type of [
      "application/json; charset=utf-8",
      "application/vnd.api+json",
      "APPLICATION/JSON",
    ]) {
      const { status } = await post({ body: { name: "x" }, headers: { "content-type": type } });
      expect([type, status]).toEqual([type, 201]);
    }
  });

  test("reaches a raw route's handler byte for byte, with any content type or none", async () => {
    const sent = Buffer.from('{ "name":"Malm\u00f6",\r\n"x":1 }');
    const key = "POST /hooks/chairs";
    const asText = anEvent(key, { body: sent.toString() });
    const asBytes = { ...asText, isBase64Encoded: true, body: sent.toString("base64") };
    for (const event of [asText, asBytes]) {
      const { status, headers, body } = await invoke(handler, event);
      expect([status, body]).toEqual([200, sent.toString("hex")]);
      expect(headers).toMatchObject({
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "private, no-store",
      });
    }
    expect((await call<unknown>(key)).body).toBe("");
    const long = { body: "a".repeat(299 * 1024) };
    expect((await call(key, long)).status).toBe(200);
    expect((await call(key, { body: `${long.body}${"b".repeat(2048)}` })).status).toBe(413);
  });

  test("is decoded if API Gateway sent it as base64", async () => {
    const event = anEvent("POST /api/v1/chairs", { body: { name: "Malmö" } });
    const encoded = {
      ...event,
      isBase64Encoded: true,
      body: Buffer.from(event.body ?? "").toString("base64"),
    };
    expect((await invoke(handler, encoded)).body).toEqual({ data: { name: "Malmö" } });
    const sized = (kilobytes: number) => {
      const body = JSON.stringify({ name: "a".repeat(kilobytes * 1024) });
      return invoke(handler, { ...encoded, body: Buffer.from(body).toString("base64") });
    };
    expect([(await sized(255)).status, (await sized(256)).status]).toEqual([201, 413]);
  });

  test("may have 256 KB, and is refused with 413 if it has one byte more", async () => {
    const frame = JSON.stringify({ name: "" }).length;
    const sized = (name: string) => post({ body: { name } });
    expect((await sized("a".repeat(256 * 1024 - frame))).status).toBe(201);
    expect((await sized("a".repeat(256 * 1024 - frame + 1))).status).toBe(413);
    expect((await sized("ä".repeat(128 * 1024))).status).toBe(413);
  });

  test("may contain 10,000 values at any depth; commas in strings do not count as values", async () => {
    const listOf = (zeros: number) => `{"name":[0${",0".repeat(zeros - 1)}]}`;
    expect((await post({ body: listOf(9_998) })).status).toBe(422);
    expect((await post({ body: listOf(9_999) })).status).toBe(413);
    expect((await post({ body: "[".repeat(10_000) })).status).toBe(413);
    expect((await post({ body: { name: '",[{\\'.repeat(20_000) } })).status).toBe(201);
  });

  test("with thousands of nesting levels is refused with the same error as a body of a wrong type", async () => {
    const deep = `{"name":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
    const { status, body } = await post({ body: deep });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["body"]]);
  });
});

describe("the checks of a request", () => {
  test("refuse an invalid token before an invalid body", async () => {
    const { status, headers } = await post({ body: "{", headers: { authorization: "Bearer x" } });
    expect([status, headers["WWW-Authenticate"]]).toEqual([401, "Bearer"]);
  });

  test("refuse an oversized body before an invalid token", async () => {
    const { status } = await post({
      body: "a".repeat(300_000),
      headers: { authorization: "Bearer x" },
    });
    expect(status).toBe(413);
  });

  test("refuse an invalid token without counting it against the rate limit", async () => {
    await post({ body: "{", headers: { authorization: "Bearer x" } });
    expect(counted).toEqual([]);
  });

  test("apply the rate limit, with Retry-After, before they check content type and body", async () => {
    calls = 11;
    for (const parts of [
      { body: "{" },
      { body: {}, headers: { "content-type": "text/plain" } },
      { body: { name: "x" } },
    ]) {
      const { status, headers } = await post(parts);
      expect([status, headers["X-RateLimit-Remaining"]]).toEqual([429, "0"]);
      expect(Number(headers["Retry-After"])).toBeGreaterThan(0);
    }
    expect(handled).toEqual([]);
  });

  test("apply the rate limit before the body is parsed", async () => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const body = JSON.stringify({ name: "a".repeat(1_000) });
      const parsesOf = async (callsSoFar: number) => {
        calls = callsSoFar;
        parse.mockClear();
        const { statusCode } = await handler(anEvent("POST /api/v1/chairs", { body }), aContext());
        return [statusCode, parse.mock.calls.filter(([text]) => text === body).length];
      };
      expect(await parsesOf(1)).toEqual([201, 1]);
      expect(await parsesOf(11)).toEqual([429, 0]);
    } finally {
      parse.mockRestore();
    }
  });

  test("do not delay a read that needs no body: it starts before the rate counter has answered", async () => {
    const order: string[] = [];
    const opening = route({
      method: "POST",
      path: "/openings",
      summary: "Reads before its body is parsed",
      access: anyone,
      limit: "coupon",
      idempotent: true,
      request: { body: z.strictObject({ name: z.string() }) },
      response: { status: 200, data: z.object({ text: z.string() }) },
      async open({ idempotencyKey }, _deps: FrameDeps) {
        order.push("read");
        return `opened by ${idempotencyKey}`;
      },
      async handle({ opened, body }) {
        order.push("handled");
        return { data: { text: `${opened} for ${body.name}` } };
      },
    });
    const opens = serve(asResource(opening), () => ({
      rates: {
        async increment() {
          await waitUntil(() => expect(order).toEqual(["read"]));
          order.push("counted");
          return calls;
        },
      },
    }));
    const ask = (body: unknown) => {
      order.length = 0;
      const headers = { "idempotency-key": "k" };
      return invoke(opens, anEvent("POST /api/v1/openings", { body, headers }));
    };
    expect(await ask({ name: "x" })).toMatchObject({
      status: 200,
      body: { data: { text: "opened by k for x" } },
    });
    expect(order).toEqual(["read", "counted", "handled"]);
    expect((await ask({})).status).toBe(422);
    calls = 11;
    expect((await ask({ name: "x" })).status).toBe(429);
    expect(order).toEqual(["read", "counted"]);
  });

  test("read what the body names while the rate limit is counted, if the route parses early, and still apply the limit first", async () => {
    const order: string[] = [];
    const early = route({
      method: "POST",
      path: "/entrances",
      summary: "Parses its body early",
      access: anyone,
      limit: "coupon",
      parsesEarly: true,
      request: { body: z.strictObject({ name: z.string() }) },
      response: { status: 200, data: z.object({ text: z.string() }) },
      async first({ body }, _deps: FrameDeps) {
        order.push(`read ${body.name}`);
      },
      async handle({ body }) {
        order.push("handled");
        return { data: { text: body.name } };
      },
    });
    const enters = serve(asResource(early), () => ({
      rates: {
        async increment() {
          if (calls === 1) await waitUntil(() => expect(order).toEqual(["read x"]));
          order.push("counted");
          return calls;
        },
      },
    }));
    const ask = async (parts: { body: unknown; headers?: Record<string, string> }) =>
      (await invoke(enters, anEvent("POST /api/v1/entrances", parts))).status;
    calls = 1;
    expect(await ask({ body: { name: "x" } })).toBe(200);
    expect(order).toEqual(["read x", "counted", "handled"]);
    const wrong = [
      { body: "{" },
      { body: {}, headers: { "content-type": "text/plain" } },
      { body: { name: 1 } },
      { body: "[".repeat(100) },
    ];
    calls = 2;
    expect(await Promise.all(wrong.map(ask))).toEqual([400, 415, 422, 422]);
    calls = 11;
    expect(await Promise.all([...wrong, { body: { name: "x" } }].map(ask))).toEqual(
      Array.from({ length: 5 }, () => 429),
    );
  });

  test("report an exceeded rate limit or an invalid body rather than an invalid header", async () => {
    const sent = { body: { name: "x" }, headers: { "idempotency-key": "k".repeat(256) } };
    expect((await post(sent)).body.errors).toHaveProperty(["Idempotency-Key"]);
    expect((await post({ ...sent, body: "{" })).body.code).toBe("malformed_json");
    calls = 11;
    expect((await post(sent)).status).toBe(429);
  });

  test("count requests by the caller's IP address and return the remaining number", async () => {
    calls = 4;
    const { headers } = await post({ body: { name: "x" }, ip: "203.0.113.9" });
    expect(counted).toEqual(["203.0.113.9"]);
    expect(headers).toMatchObject({ "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "6" });
  });
});

describe("the path and query of a request", () => {
  test("may contain no query parameter if the route declares none", async () => {
    const { status, body } = await get({ query: { debug: "1" } });
    expect([status, (body as unknown as Problem).errors]).toEqual([
      422,
      { debug: ["The debug field is not allowed."] },
    ]);
  });

  test("with an invalid slug return 404, as for an unknown slug", async () => {
    const { status, body } = await get({ params: { slug: "far-too-long-a-slug" } });
    expect([status, (body as unknown as Problem).code]).toEqual([404, "not_found"]);
  });
});

describe("an Idempotency-Key header", () => {
  const keyed = (key: string, body: unknown = { name: "x" }) =>
    post({ body, headers: { "idempotency-key": key } });
  const seen = () => handled.at(-1) as { idempotencyKey: string | null; bodyHash: string };

  test.each([
    [0, 422],
    [1, 201],
    [255, 201],
    [256, 422],
  ])("with the length %i returns %i", async (length, status) => {
    expect((await keyed("k".repeat(length))).status).toBe(status);
  });

  test("reaches the handler with a hash of the body that ignores whitespace and defaults", async () => {
    await keyed("k", '{ "name" : "x" }');
    const first = seen();
    await keyed("k", { name: "x" });
    expect(seen()).toMatchObject({ idempotencyKey: "k", bodyHash: first.bodyHash });
    await keyed("k", { name: "y" });
    expect(seen().bodyHash).not.toBe(first.bodyHash);
  });

  test("is null for the handler if the request has none", async () => {
    await post({ body: { name: "x" } });
    expect(seen().idempotencyKey).toBeNull();
  });

  test("is required if the route declares it, and the error names the header", async () => {
    const pay = (headers = {}) => call<Problem>("POST /api/v1/chairs/payments", { headers });
    const refused = await pay();
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { "Idempotency-Key": ["The Idempotency-Key header is required."] },
    ]);
    expect((await pay({ "idempotency-key": "k" })).status).toBe(204);
    expect(seen().idempotencyKey).toBe("k");
  });
});

test("a failure to connect dependencies is logged, and the response does not contain its message", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const broken = serve(asResource(...routes), (): Deps => {
    throw new Error("TABLE_NAME is missing");
  });
  const { status, body } = await invoke<Problem>(broken, anEvent("GET /api/v1/chairs/{slug}"));
  expect([status, JSON.stringify(body).includes("TABLE_NAME")]).toEqual([500, false]);
  expect(String(printed.mock.calls[0]?.[0])).toContain("TABLE_NAME is missing");
  printed.mockRestore();
});

test("dependencies are connected once for all requests", async () => {
  await Promise.all([get(), get(), post({ body: { name: "x" } })]);
  expect(connections).toBe(1);
});
