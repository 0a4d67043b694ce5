// @module-tag slow
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterAll, describe, expect, test, vi } from "vitest";
import { handler as catalog } from "#infra/generated/entries/catalog.ts";
import { consumers } from "#functions/consumers.ts";
import { handler as docs } from "#infra/generated/entries/docs.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundleFile } from "#infra/bundle/bundle.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { aContext, anEvent } from "#test/support/http/in-process.ts";

const functions = [authorizer, ...families, ...consumers];
const bundles = await localBundles();

afterAll(() => vi.unstubAllEnvs());

/** Maximum size in KB. Drawing PDFs takes 450 KB; no other function contains that code. */
const capOf = (name: string): number => (name === "on-change-documents" ? 1_100 : 900);

test.each(functions.map(({ name }) => [name, capOf(name)] as const))(
  "the bundle of %s has at most %i KB",
  (name, cap) => {
    expect(statSync(bundleFile(bundles, name)).size).toBeLessThanOrEqual(cap * 1024);
  },
);

test("bundles are kept while the sources stay the same, and bundles of earlier sources for an hour", async () => {
  const earlier = join(dirname(bundles), "earlier");
  mkdirSync(earlier, { recursive: true });
  const { ino } = statSync(bundles);
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  for (const each of [bundles, earlier]) utimesSync(each, twoHoursAgo, twoHoursAgo);
  expect(await localBundles()).toBe(bundles);
  expect(statSync(bundles).ino).toBe(ino);
  expect(existsSync(earlier)).toBe(false);
});

test("every bundle loads in a separate process", () => {
  const files = functions.map(({ name }) => bundleFile(bundles, name));
  const script = "for (const file of process.argv.slice(1)) require(file).handler.call";
  expect(() => execFileSync(process.execPath, ["-e", script, ...files])).not.toThrow();
});

/** Invokes a bundle in a separate process, and returns its response. */
function answerOfBundle(name: string, event: APIGatewayProxyEventV2): unknown {
  const script =
    "require(process.argv[1]).handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 30_000 })" +
    ".then((answer) => process.stdout.write(JSON.stringify(answer)))";
  const args = ["-e", script, bundleFile(bundles, name), JSON.stringify(event)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 24 }));
}

describe("a bundle returns the same response as the sources", () => {
  test.each([
    anEvent("GET /api/v1/products", {
      query: { page: "0", price_min: "x", sort: "dearest", colour: "grey", material: "Oak,,teak" },
    }),
    anEvent("POST /api/v1/sofas/{slug}/price", { params: { slug: "oslo" }, body: "{" }),
  ])("for $routeKey without a token", async (event) => {
    for (const name of ["TABLE_NAME", "INDEX_BUCKET"]) vi.stubEnv(name, "shop");
    vi.stubEnv("MEDIA_BASE_URL", "https://media.test");
    expect(answerOfBundle("catalog", event)).toEqual(await catalog(event, aContext()));
  });

  test.each([
    anEvent("GET /docs/api.json"),
    anEvent("$default", { path: "/webhooks/stripe" }),
    anEvent("$default", { path: "/api/v1/admin/orders/1" }),
    anEvent("$default", { path: "/api/v1/nothing" }),
  ])("for $routeKey $rawPath of the docs family", async (event) => {
    vi.stubEnv("TABLE_NAME", "shop");
    expect(answerOfBundle("docs", event)).toEqual(await docs(event, aContext()));
  });
});
