import { asResource } from "#test/support/stack/resource-of-routes.ts";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { callerAddress, openOriginKeys } from "#shared/http/caller-address.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import { anyone, route } from "#shared/http/route.ts";
import { serve } from "#shared/http/serve.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { anEvent, invoke } from "#test/support/http/http-event.ts";

const secretOf = (letter: string) => letter.repeat(64);
const ring = {
  current: { kid: "2", secret: secretOf("c") },
  previous: { kid: "1", secret: secretOf("p") },
};
const origin = openKeys({ keys: JSON.stringify(ring), secret: undefined });
const cloudFront = "130.176.1.1";
const from = (headers: Record<string, string>) => anEvent("GET /toy", { headers, ip: cloudFront });
const through = (secret: string, viewer = "198.51.100.7:46532") =>
  from({ "x-origin-secret": secret, "cloudfront-viewer-address": viewer });

describe("the caller's address", () => {
  test("is the viewer that our CloudFront names, with its current or previous secret", async () => {
    for (const { secret } of [ring.current, ring.previous]) {
      expect(await callerAddress(through(secret), origin)).toBe("198.51.100.7");
    }
  });

  test.each([
    ["2001:db8::7:46532", "2001:db8::7"],
    ["[2001:db8::7]:46532", "2001:db8::7"],
    ["198.51.100.7:46532", "198.51.100.7"],
  ])("has no port: %s", async (viewer, address) => {
    expect(await callerAddress(through(ring.current.secret, viewer), origin)).toBe(address);
  });

  test.each([
    ["no secret", from({ "cloudfront-viewer-address": "198.51.100.7:1" })],
    ["a wrong secret", through(secretOf("x"))],
    ["an empty secret", through("")],
    ["no viewer", from({ "x-origin-secret": ring.current.secret })],
    ["a header of a proxy's", from({ "x-forwarded-for": "198.51.100.7" })],
  ])("is what API Gateway saw if there is %s", async (_what, event) => {
    expect(await callerAddress(event, origin)).toBe(cloudFront);
  });

  test("is what API Gateway saw without CloudFront", async () => {
    expect(openOriginKeys({})).toBeUndefined();
    expect(await callerAddress(through(ring.current.secret), undefined)).toBe(cloudFront);
  });
});

test("while the origin secret cannot be read, a call returns 503 and is not counted", async () => {
  const callers: string[] = [];
  const rates: RateCounters = { increment: async ({ caller }) => callers.push(caller) };
  const limited = route({
    method: "GET",
    path: "/toy",
    summary: "Toy",
    access: anyone,
    limit: "tracking",
    request: {},
    response: { status: 200, data: z.object({}) },
    handle: async (_call, _deps: { rates: RateCounters }) => ({ data: {} }),
  });
  const unreadable = () => Promise.reject(new Unavailable("Secrets Manager did not answer"));
  const handler = serve(
    asResource(limited),
    () => ({ rates }),
    () => unreadable,
  );
  const headers = {
    "x-origin-secret": ring.current.secret,
    "cloudfront-viewer-address": "198.51.100.7:1",
  };
  const answer = await invoke(handler, anEvent("GET /api/v1/toy", { headers, ip: cloudFront }));
  expect(answer).toMatchObject({
    status: 503,
    headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    body: { code: "unavailable", request_id: expect.any(String) },
  });
  expect(callers).toEqual([]);
});

test("a limit counts each viewer behind CloudFront, and direct callers by their own address", async () => {
  const callers: string[] = [];
  const rates: RateCounters = {
    increment: async ({ caller }) => callers.push(caller),
  };
  const limited = route({
    method: "GET",
    path: "/toy",
    summary: "Toy",
    access: anyone,
    limit: "tracking",
    request: {},
    response: { status: 200, data: z.object({ ip: z.string() }) },
    handle: async ({ ip }, _deps: { rates: RateCounters }) => ({ data: { ip } }),
  });
  const handler = serve(
    asResource(limited),
    () => ({ rates }),
    () => origin,
  );
  const { secret } = ring.current;
  const answers = [];
  for (const headers of [
    { "x-origin-secret": secret, "cloudfront-viewer-address": "198.51.100.7:1" },
    { "x-origin-secret": secret, "cloudfront-viewer-address": "198.51.100.8:1" },
    { "cloudfront-viewer-address": "198.51.100.9:1" },
  ]) {
    answers.push(await invoke(handler, anEvent("GET /api/v1/toy", { headers, ip: cloudFront })));
  }
  expect(callers).toEqual(["198.51.100.7", "198.51.100.8", cloudFront]);
  expect(answers.map(({ body }) => body)).toEqual(callers.map((ip) => ({ data: { ip } })));
});
