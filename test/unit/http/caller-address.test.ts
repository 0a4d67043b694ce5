import { asResource } from "#test/support/stack/toy-service.ts";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { callerAddress } from "#shared/http/caller-address.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import { anyone, route } from "#shared/http/route.ts";
import { serve } from "#shared/http/serve.ts";
import { anEvent, invoke } from "#test/support/http/in-process.ts";

const current = { kid: "2", secret: "c".repeat(64) };
const cloudFront = "130.176.1.1";
const from = (headers: Record<string, string>) => anEvent("GET /toy", { headers, ip: cloudFront });

describe("the caller's address", () => {
  test.each([
    ["2001:db8::7:46532", "2001:db8::7"],
    ["[2001:db8::7]:46532", "2001:db8::7"],
    ["198.51.100.7:46532", "198.51.100.7"],
  ])(
    "is the viewer address that our CloudFront distribution sends, without its port: %s",
    (viewer, address) => {
      expect(callerAddress(from({ "cloudfront-viewer-address": viewer }), true)).toBe(address);
    },
  );

  test.each([
    [
      "a viewer address header in a shop without CloudFront",
      { "cloudfront-viewer-address": "198.51.100.7:1" },
      false,
    ],
    ["no viewer address header", {}, true],
    ["only an X-Forwarded-For header", { "x-forwarded-for": "198.51.100.7" }, true],
  ])(
    "is the source IP that API Gateway reports if the request has %s",
    (_what, headers, isBehindCdn) => {
      expect(callerAddress(from(headers), isBehindCdn)).toBe(cloudFront);
    },
  );
});

test("a rate limit counts each viewer behind CloudFront separately", async () => {
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
    () => async () => ({ current }),
  );
  const answers = [];
  for (const viewer of ["198.51.100.7:1", "198.51.100.8:1"]) {
    const headers = { "x-origin-secret": current.secret, "cloudfront-viewer-address": viewer };
    answers.push(await invoke(handler, anEvent("GET /api/v1/toy", { headers, ip: cloudFront })));
  }
  expect(callers).toEqual(["198.51.100.7", "198.51.100.8"]);
  expect(answers.map(({ body }) => body)).toEqual(callers.map((ip) => ({ data: { ip } })));
});
