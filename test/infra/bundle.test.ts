import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { handler as catalog } from "#functions/catalog/handler.ts";
import { handler as docs } from "#functions/docs/handler.ts";
import { consumers, families } from "#functions/families.ts";
import { bundle, bundleFile } from "#infra/cloud/bundle.ts";
import { anEvent } from "#test/support/http-event.ts";
import { type MailServer, startMail } from "#infra/local/mail.ts";

const directory = mkdtempSync(join(tmpdir(), "bundles-"));
let emulator: Awaited<ReturnType<typeof startFauxqs>>;
let mail: MailServer;

beforeAll(async () => {
  emulator = await startFauxqs({
    port: 0,
    logger: false,
    init: {
      buckets: ["view"],
      queues: [{ name: "view.fifo", attributes: { FifoQueue: "true" } }],
    },
  });
  mail = await startMail();
  await bundle(
    [{ name: "clients", entry: "test/infra/bundled-clients.ts" }, ...families, ...consumers],
    directory,
  );
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator.stop();
  await mail.stop();
  rmSync(directory, { recursive: true });
});

/** Answers in a process of its own, as copies of zod in one process share their settings. */
function answerOfBundle(name: string, event: APIGatewayProxyEventV2): unknown {
  const script =
    "require(process.argv[1]).handler(JSON.parse(process.argv[2]), {})" +
    ".then((answer) => process.stdout.write(JSON.stringify(answer)))";
  const args = ["-e", script, bundleFile(directory, name), JSON.stringify(event)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 24 }));
}

test.each(["catalog", "checkout"])("the %s function stays within 400,000 bytes", (name) => {
  expect(statSync(bundleFile(directory, name)).size).toBeLessThanOrEqual(400_000);
});

test("every bundle loads", () => {
  const files = [...families, ...consumers].map(({ name }) => bundleFile(directory, name));
  const script = "for (const file of process.argv.slice(1)) require(file).handler.call";
  expect(() => execFileSync(process.execPath, ["-e", script, ...files])).not.toThrow();
});

test.each([
  anEvent("GET /api/v1/products", {
    query: { page: "0", price_min: "x", sort: "dearest", colour: "grey", material: "Oak,,teak" },
  }),
  anEvent("GET /api/v1/products", { query: { price_min: "2", price_max: "1" } }),
  anEvent("GET /api/v1/sofas/{slug}", { params: { slug: "Not A Slug" } }),
  anEvent("POST /api/v1/sofas/{slug}/price", {
    params: { slug: "oslo" },
    body: { configuration: { seat_depth: [] }, quantity: 2 },
  }),
  anEvent("POST /api/v1/sofas/{slug}/price", { params: { slug: "oslo" }, body: "{" }),
])("a bundle refuses what is wrong in the words of its function: $routeKey", async (event) => {
  for (const [name, value] of Object.entries({
    TABLE_NAME: "shop",
    VIEW_BUCKET: "view",
    MEDIA_BASE_URL: "https://media.test",
  }))
    vi.stubEnv(name, value);
  const answer = answerOfBundle("catalog", event);
  expect(answer).toEqual(await catalog(event, {} as Context));
  expect(answer).toMatchObject({
    statusCode: expect.toSatisfy((code) => code >= 400 && code < 500),
  });
});

test("the bundle that describes the interface describes all of it", async () => {
  const event = anEvent("GET /docs/api.json");
  expect(answerOfBundle("docs", event)).toEqual(await docs(event, {} as Context));
});

test("what the recipe takes out of the SDK's clients is not missed", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_SESSION_TOKEN", "token");
  const { handler } = createRequire(import.meta.url)(bundleFile(directory, "clients")) as {
    handler(endpoint: string, mailEndpoint: string): Promise<unknown>;
  };
  expect(await handler(emulator.address, mail.endpoint)).toEqual({
    read: "a chair",
    knowsItsErrors: true,
    sent: true,
    mailed: true,
  });
});
