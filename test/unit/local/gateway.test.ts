import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { AuthorizerResult } from "#infra/local/gateway/authorization.ts";
import { gateway, type GatewayRoute } from "#infra/local/gateway/gateway.ts";
import type { HttpApiEvent } from "#infra/local/gateway/http-api-event.ts";
import { type HttpServer, listen } from "#infra/local/gateway/http-server.ts";
import type { LocalFunction } from "#infra/local/functions/lambda.ts";
import { corsFor } from "#shared/http/cors.ts";

const events: HttpApiEvent[] = [];
const problems: unknown[] = [];
let result: () => Promise<unknown>;
let verdict: AuthorizerResult;
let server: HttpServer;

const aFunction = <Event, Result>(
  handler: (event: Event) => Promise<Result>,
): LocalFunction<Event, Result> => ({
  name: "toy",
  memoryMb: 128,
  timeoutSeconds: 10,
  handler,
});

const echo = aFunction(async (event: HttpApiEvent) => {
  events.push(event);
  return result();
});
const authorizer = vi.fn(async () => verdict);

const aRoute = (method: string, path: string, guarded = false): GatewayRoute => ({
  method,
  path,
  guarded,
  target: echo,
});

beforeAll(async () => {
  server = await listen(0);
  server.serve(
    gateway({
      routes: [
        aRoute("GET", "/things/{name}"),
        aRoute("POST", "/things"),
        aRoute("GET", "/mine", true),
        aRoute("GET", "/mine/too", true),
        aRoute("ANY", "/shared", true),
        aRoute("OPTIONS", "/shared"),
        aRoute("ANY", "/closed", true),
      ],
      fallback: aFunction(async () => ({ statusCode: 404, body: "ours" })),
      authorizer: aFunction(authorizer),
      cors: corsFor(["*"]),
      report: (problem) => problems.push(problem),
    }),
  );
});
afterAll(() => server.stop());
beforeEach(() => {
  events.length = 0;
  problems.length = 0;
  authorizer.mockClear();
  result = async () => ({ statusCode: 200, body: "ok" });
  verdict = { isAuthorized: true, context: { guard: "customer" } };
});

const call = (path: string, init?: RequestInit) => fetch(server.baseUrl + path, init);

/** For requests that fetch would normalize: raw paths, cookies, repeated headers. */
function rawCall(path: string, headers: OutgoingHttpHeaders = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.baseUrl);
    httpRequest({ hostname, port, path, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
}

async function eventOf(path: string, headers?: OutgoingHttpHeaders): Promise<HttpApiEvent> {
  await rawCall(path, headers);
  return events[0] as HttpApiEvent;
}

const post = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
  call("/things", { method: "POST", body, headers: { "content-type": type } });

describe("an event of the local gateway, in payload format 2.0,", () => {
  test("has the documented members and no empty ones", async () => {
    const event = await eventOf("/things/chair", { "User-Agent": "browser/1" });
    expect(event).toMatchObject({
      version: "2.0",
      routeKey: "GET /things/{name}",
      rawPath: "/things/chair",
      rawQueryString: "",
      pathParameters: { name: "chair" },
      isBase64Encoded: false,
      requestContext: {
        routeKey: "GET /things/{name}",
        stage: "$default",
        accountId: expect.any(String),
        apiId: expect.any(String),
        domainName: new URL(server.baseUrl).host,
        requestId: expect.any(String),
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
        http: {
          method: "GET",
          path: "/things/chair",
          protocol: "HTTP/1.1",
          sourceIp: "127.0.0.1",
          userAgent: "browser/1",
        },
      },
    });
    for (const absent of ["body", "cookies", "queryStringParameters", "stageVariables"]) {
      expect(event).not.toHaveProperty(absent);
    }
  });

  test.each([
    ["caf%C3%A9%20%2B%23", "café +#"],
    ["in%3Fside", "in"],
    ["a%252Fb%253F%2525", "a/b?%"],
    ["/x", "x"],
  ])("has the path and its parameters as AWS decodes them: %s", async (sent, name) => {
    const event = await eventOf(`/things/${sent}?q=a%3Fb%25c`);
    expect(event.rawPath).toBe(`/things/${name}`);
    expect(event.pathParameters).toEqual({ name });
    expect(event.rawQueryString).toBe("q=a%3Fb%25c");
  });

  test("is that of another route if the path has an encoded slash", async () => {
    expect(await rawCall("/things/a%2Fb")).toBe(404);
    expect(await rawCall("/things%2Fa")).toBe(200);
    expect(await rawCall("//things///a")).toBe(200);
  });

  test("has the raw query unchanged; parsed values are decoded, and repeated ones joined by commas", async () => {
    const event = await eventOf("/things/x?color=grey&color=blue&q=a%26b+c&empty=&__proto__=1");
    expect(event.rawQueryString).toBe("color=grey&color=blue&q=a%26b+c&empty=&__proto__=1");
    expect(Object.entries(event.queryStringParameters ?? {})).toEqual([
      ["color", "grey,blue"],
      ["q", "a&b c"],
      ["empty", ""],
      ["__proto__", "1"],
    ]);
  });

  test("has lower-case header names, repeated headers joined by commas, and cookies separately", async () => {
    const event = await eventOf("/things/x", { "X-Multi": ["one", "two"], Cookie: "a=1; b=2" });
    expect(event.headers["x-multi"]).toBe("one,two");
    expect(event.headers).not.toHaveProperty("cookie");
    expect(event.cookies).toEqual(["a=1", "b=2"]);
  });

  test.each(["application/json", "text/plain; charset=utf-8", "application/merge-patch+json"])(
    "has a text body for %s",
    async (type) => {
      await post('{"a":"é"}', type);
      expect(events[0]).toMatchObject({ body: '{"a":"é"}', isBase64Encoded: false });
    },
  );

  test.each(["image/png", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])(
    "has a base64 body for %s",
    async (type) => {
      await post(new Uint8Array([0, 255, 1]), type);
      expect(events[0]).toMatchObject({ body: "AP8B", isBase64Encoded: true });
    },
  );

  test("has the first address of X-Forwarded-For as source IP, or else the connection's address", async () => {
    const first = await eventOf("/things/x", { "X-Forwarded-For": "203.0.113.7, 10.0.0.1" });
    expect(first.requestContext.http.sourceIp).toBe("203.0.113.7");
    expect(first.headers["x-forwarded-for"]).toBe("203.0.113.7, 10.0.0.1, 127.0.0.1");
    events.length = 0;
    const second = await eventOf("/things/x", { "X-Forwarded-For": "not an address" });
    expect(second.requestContext.http.sourceIp).toBe("127.0.0.1");
  });
});

describe("the local gateway's response to a function result", () => {
  test("has the result's status, headers, cookies and body", async () => {
    result = async () => ({
      statusCode: 201,
      headers: { "Content-Type": "application/json", "X-Count": 3 },
      cookies: ["a=1; HttpOnly", "b=2"],
      body: '{"a":1}',
    });
    const response = await call("/things/x");
    expect(response.status).toBe(201);
    expect(response.headers.get("x-count")).toBe("3");
    expect(response.headers.getSetCookie()).toEqual(["a=1; HttpOnly", "b=2"]);
    expect(await response.json()).toEqual({ a: 1 });
  });

  test("has the decoded bytes of a base64 body", async () => {
    result = async () => ({ statusCode: 200, body: "AP8B", isBase64Encoded: true });
    const bytes = await (await call("/things/x")).bytes();
    expect([...bytes]).toEqual([0, 255, 1]);
  });

  test.each([
    [{ message: "hi" }, '{"message":"hi"}'],
    ["Hello from Lambda!", "Hello from Lambda!"],
  ])("is a 200 with the result as JSON if the result has no status: %j", async (given, body) => {
    result = async () => given;
    const response = await call("/things/x");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe(body);
  });

  test("has neither body nor Content-Length for a 204", async () => {
    result = async () => ({ statusCode: 204 });
    const response = await call("/things/x");
    expect(response.status).toBe(204);
    expect(response.headers.has("content-length")).toBe(false);
  });

  test.each([
    ["throws", async () => Promise.reject(new Error("secret"))],
    ["returns an invalid status", async () => ({ statusCode: "many" })],
    [
      "returns more than 6 MB",
      async () => ({ statusCode: 200, body: "x".repeat(6 * 1024 * 1024 + 1) }),
    ],
    [
      "returns more than 6 MB once its body is encoded as JSON",
      async () => ({ statusCode: 200, body: JSON.stringify(Array(1_100_000).fill("x")) }),
    ],
  ])("is a 500 without details if the function %s", async (_, audit) => {
    result = audit;
    const response = await call("/things/x");
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"message":"Internal Server Error"}');
  });

  test("logs an error that the function throws", async () => {
    result = async () => Promise.reject(new Error("cause"));
    await call("/things/x");
    expect(problems).toEqual([new Error("cause")]);
  });

  test.each([
    ["a 503 if the function exceeds the integration timeout", 40, 60, 503, "Service Unavailable"],
    ["a 500 if the function exceeds its own timeout", 60_000, 0.04, 500, "Internal Server Error"],
  ])("is %s", async (_what, integrationTimeoutMs, timeoutSeconds, status, message) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const target = { ...aFunction(() => promise), timeoutSeconds };
    const routes = [{ ...aRoute("GET", "/slow"), target }];
    const impatient = await listen(0);
    impatient.serve(gateway({ routes, cors: corsFor(["*"]), integrationTimeoutMs }));
    const response = await fetch(`${impatient.baseUrl}/slow`);
    resolve();
    expect([response.status, await response.json()]).toEqual([status, { message }]);
    await impatient.stop();
  });
});

describe("the local gateway", () => {
  test("returns 413 for a body above 10 MB, with or without chunked encoding, without invoking the function", async () => {
    const tooLarge = new Uint8Array(10 * 1024 * 1024 + 1);
    const streamed = new Blob([tooLarge]).stream();
    for (const response of [
      await post(tooLarge, "image/png"),
      await call("/things", { method: "POST", body: streamed, duplex: "half" }),
    ]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({ message: "Request Entity Too Large" });
    }
    expect(events).toEqual([]);
  });

  test("returns 413 for a body that exceeds Lambda's 6 MB once it is encoded as base64", async () => {
    const response = await post(new Uint8Array(5 * 1024 * 1024), "image/png");
    expect(response.status).toBe(413);
    expect(events).toEqual([]);
  });

  test("returns 431 for more than 10 KB of headers", async () => {
    expect(await rawCall("/things/x", { "x-long": "x".repeat(11_000) })).toBe(431);
  });

  test("returns 400 for a path that cannot be decoded twice", async () => {
    for (const path of ["/things/%zz", "/things/%25done"]) expect(await rawCall(path)).toBe(400);
  });

  test("sends requests that match no route to $default, including HEAD and trailing slashes", async () => {
    for (const [path, method] of [
      ["/nowhere", "GET"],
      ["/things/x/", "GET"],
      ["/things/x", "HEAD"],
      ["/things/x", "OPTIONS"],
    ] as const) {
      expect((await call(path, { method })).status).toBe(404);
    }
    expect(events).toEqual([]);
  });
});

describe("a guarded route of the local gateway", () => {
  const mine = (path: string, token: string) => call(path, { headers: { authorization: token } });

  test("returns the gateway's own 401 without an Authorization header", async () => {
    const response = await call("/mine");
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('{"message":"Unauthorized"}');
    expect(authorizer).not.toHaveBeenCalled();
    expect(events).toEqual([]);
  });

  test("receives every method of its path, and none without a token", async () => {
    for (const method of ["GET", "DELETE", "HEAD"]) {
      expect((await call("/shared", { method })).status).toBe(401);
    }
    await call("/shared", { method: "DELETE", headers: { authorization: "Bearer any" } });
    expect(events.map(({ routeKey }) => routeKey)).toEqual(["ANY /shared"]);
  });

  test("calls the authorizer with the request and passes its context to the function", async () => {
    await mine("/mine?a=1", "Bearer first");
    expect(authorizer.mock.calls[0]?.at(0)).toMatchObject({
      version: "2.0",
      type: "REQUEST",
      identitySource: ["Bearer first"],
      routeKey: "GET /mine",
      queryStringParameters: { a: "1" },
      headers: { authorization: "Bearer first" },
    });
    expect(events[0]?.requestContext.authorizer).toEqual({ lambda: { guard: "customer" } });
  });

  test("caches the authorizer's result by Authorization header for every guarded route", async () => {
    await mine("/mine", "Bearer second");
    await mine("/mine/too", "Bearer second");
    expect(authorizer).toHaveBeenCalledTimes(1);
    await mine("/mine", "Bearer third");
    expect(authorizer).toHaveBeenCalledTimes(2);
  });

  test("returns the gateway's own 403 if the authorizer refuses", async () => {
    verdict = { isAuthorized: false, context: {} };
    const response = await mine("/mine", "Bearer refused");
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: "Forbidden" });
  });
});

describe("CORS of the local gateway", () => {
  const origin = "https://shop.example";

  test("answers a preflight request on any path without invoking the function", async () => {
    const response = await call("/things/x", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "PATCH" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(response.headers.get("access-control-allow-headers")).toContain("x-cart-token");
    expect(response.headers.get("access-control-max-age")).toBe("7200");
  });

  test("refuses a preflight request on a guarded route for every method, unless OPTIONS has a route of its own", async () => {
    const headers = { origin, "access-control-request-method": "PATCH" };
    const statuses = ["/closed", "/shared", "/mine"].map(
      async (path) => (await call(path, { method: "OPTIONS", headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 204, 204]);
  });

  test("replaces the function's own CORS headers", async () => {
    result = async () => ({
      statusCode: 200,
      headers: {
        "Access-Control-Allow-Origin": "https://evil.example",
        "access-control-allow-credentials": "true",
      },
      body: "ok",
    });
    const response = await call("/things/x", { headers: { origin } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    expect(response.headers.get("access-control-expose-headers")).toContain("x-request-id");
  });

  test("also adds headers to the gateway's own refusals", async () => {
    const response = await call("/mine", { headers: { origin } });
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

test("the local gateway returns 503 with Retry-After until the stack is ready", async () => {
  const early = await listen(0);
  const response = await fetch(early.baseUrl);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  await early.stop();
});
