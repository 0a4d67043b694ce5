// @module-tag emulator
// @module-tag slow
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import type { Problem } from "#test/support/http/in-process.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { everyRoute, pathOf } from "#test/support/http/every-route.ts";

const current = { kid: "2", secret: "c".repeat(64) };
const previous = { kid: "1", secret: "p".repeat(64) };
const through = (secret: string) => ({ "x-origin-secret": secret });
const anyToken = { authorization: "Bearer unknown" };

let stack: Stack;
let client: Client;
beforeAll(async () => {
  const ORIGIN_KEYS = JSON.stringify({ current, previous });
  stack = await startStack({ consumers: [], environment: { ORIGIN_KEYS, DOCS: "closed" } });
  client = clientOf(stack.baseUrl);
});
afterAll(() => stack.stop());

const refused = {
  status: 403,
  body: {
    message: "Call this service at its public address.",
    code: "forbidden",
    request_id: expect.any(String),
  },
};

describe("the API's own address while CloudFront is in front of it", () => {
  test.each(everyRoute)("returns 403 for $key", async ({ route }) => {
    const reply = await client.send<Problem>(
      route.method,
      pathOf(route, () => "x"),
      {
        headers: anyToken,
        // Larger than any route accepts, and not JSON.
        ...(route.method !== "GET" && { body: "{".repeat(1_100_000) }),
      },
    );
    expect(reply).toMatchObject(refused);
    expect(Object.keys(reply.body)).toEqual(Object.keys(refused.body));
  });

  test.each([
    ["GET", "/api/v1/nothing"],
    ["DELETE", "/api/v1/health"],
    ["GET", "/"],
  ])("returns 403 for %s %s, which no route declares", async (method, path) => {
    expect(await client.send(method, path)).toMatchObject(refused);
  });

  test("returns 403 for a wrong origin secret, and for a viewer address header without a secret", async () => {
    for (const headers of [through("x".repeat(64)), { "cloudfront-viewer-address": "1.2.3.4:1" }]) {
      expect(await client.get("/health", headers)).toMatchObject(refused);
    }
  });

  test("returns 403 for a signed webhook", async () => {
    const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded" });
    const at = Math.floor(Date.now() / 1000);
    const signed = createHmac("sha256", "whsec_unknown").update(`${at}.${body}`).digest("hex");
    const headers = { "stripe-signature": `t=${at},v1=${signed}` };
    const reply = await client.send("POST", "/webhooks/payments/stripe", { body, headers });
    expect(reply).toMatchObject(refused);
  });
});

describe("a request through CloudFront", () => {
  test("is accepted with the current and with the previous origin secret", async () => {
    for (const { secret } of [current, previous]) {
      expect(await client.get("/health", through(secret))).toMatchObject({ status: 200 });
    }
  });

  test("reaches the webhook's own signature check", async () => {
    const headers = through(current.secret);
    const reply = await client.send("POST", "/webhooks/payments/stripe", { body: "{}", headers });
    expect(reply.status).not.toBe(403);
  });

  test("is rate-limited by the viewer's address, not CloudFront's", async () => {
    const track = async (viewer: string) => {
      const headers = { ...through(current.secret), "cloudfront-viewer-address": viewer };
      return (await client.get("/orders/track/FS-UNKNOWN", headers)).status;
    };
    // One call more than two rate-limit windows allow, in case one window ends meanwhile.
    for (let call = 0; call <= 2 * limits.tracking.calls; call++) await track("198.51.100.7:1");
    expect(await track("198.51.100.7:2")).toBe(429);
    expect(await track("198.51.100.8:1")).toBe(404);
  });
});

describe("while the documentation is closed", () => {
  const docs = everyRoute.filter(({ route }) => route.path.startsWith("/docs"));
  test.each(docs)("$key returns the same response as an unknown path", async ({ route }) => {
    for (const method of ["GET", "POST"]) {
      const reply = await client.send<Problem>(
        method,
        pathOf(route, () => "start.js"),
        { headers: through(current.secret) },
      );
      const unknown = await client.send<Problem>(method, "/docs/nothing", {
        headers: through(current.secret),
      });
      const of = ({ status, headers, body: { message, code } }: typeof reply) => ({
        status,
        message,
        code,
        cache: headers.get("cache-control"),
        allow: headers.get("allow"),
      });
      expect(of(reply)).toEqual(of(unknown));
      expect(reply.status).toBe(404);
    }
  });
});
