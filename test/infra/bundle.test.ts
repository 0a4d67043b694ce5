import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { handler as catalog } from "#functions/catalog/handler.ts";
import { handler as docs } from "#functions/docs/handler.ts";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundle, bundleFile, entryFile, laterFile } from "#infra/cloud/bundle.ts";
import { cacheOf } from "#infra/cloud/cached-script.ts";
import { addCodeCaches, lambdaFlags } from "#infra/cloud/code-cache.ts";
import { startDynamoDb } from "#infra/local/dynamodb.ts";
import { listen } from "#infra/local/http-server.ts";
import { localBundles } from "#infra/local/local-bundles.ts";
import { standInKeys } from "#infra/local/stripe/keys.ts";
import { startStripe } from "#infra/local/stripe/stand-in.ts";
import { signatureOf } from "#infra/local/stripe/webhooks.ts";
import { aContext, anEvent } from "#test/support/http-event.ts";
import { passwordFits } from "#shared/auth/passwords.ts";
import { handler as constants } from "./bundled-constants.ts";
import type * as Passwords from "./bundled-passwords.ts";
import { schemasAtImport } from "#test/support/schemas-at-import.ts";
import { type MailServer, startMail } from "#infra/local/mail.ts";

/** Of what is bundled for these tests alone. */
const directory = mkdtempSync(join(tmpdir(), "bundles-"));
/** Of the functions. */
let bundles: string;
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
    [
      { name: "clients", entry: "test/infra/bundled-clients.ts" },
      { name: "constants", entry: "test/infra/bundled-constants.ts" },
      { name: "schemas", entry: "test/infra/bundled-schemas.ts" },
      { name: "gateway", entry: "test/infra/bundled-gateway.ts", later: ["stripe"] },
    ],
    directory,
  );
  bundles = await localBundles();
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
    "require(process.argv[1]).handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 30000 })" +
    ".then((answer) => process.stdout.write(JSON.stringify(answer)))";
  const args = ["-e", script, entryFile(bundles, name), JSON.stringify(event)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 24 }));
}

test.each(["catalog", "checkout"])("the %s function stays within 400,000 bytes", (name) => {
  expect(statSync(bundleFile(bundles, name)).size).toBeLessThanOrEqual(400_000);
});

/** Of functions that build any. */
const schemasBuilt: Readonly<Record<string, number>> = {
  "admin-content": 320,
  "admin-inbox": 30,
  "admin-catalog": 15,
  "admin-media": 15,
};

test.each(
  [authorizer, ...families, ...consumers].map(
    ({ name }) => [name, schemasBuilt[name] ?? 0] as const,
  ),
)("importing %s builds %i schemas at most", (name, most) => {
  expect(schemasAtImport(bundleFile(bundles, name))).toBeLessThanOrEqual(most);
});

test("schemas that are built at import are counted", () => {
  expect(schemasAtImport(bundleFile(directory, "schemas"))).toBe(2);
});

test("a bundle makes constants when they are first read, once, and reads those that are meant", () => {
  const { handler } = createRequire(import.meta.url)(bundleFile(directory, "constants")) as {
    handler: typeof constants;
  };
  const { read } = constants() as { read: object };
  const { atImport, ...later } = handler() as { atImport: string[] };
  expect(atImport).toEqual([]);
  expect(later).toEqual({ read, made: ["chair", "table", "bench"] });
});

test.each([
  ["hands them on", 'export { chair as handler } from "./chair.ts";'],
  ["takes all that there are", 'import * as all from "./chair.ts"; export const handler = all;'],
  ["takes them later", 'export const handler = () => import("./chair.ts");'],
  ["has them beside its handler", "export const table = String(4); export const handler = table;"],
  [
    "takes parts of a package",
    'import all, { part } from "sanitize-html"; export const handler = all(part);',
  ],
])("no bundle is made of a module that shares constants so that it %s", async (_what, code) => {
  const folder = join(directory, "test");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "chair.ts"), 'export const chair = String("chair");');
  const entry = join(folder, `${randomUUID()}.ts`);
  writeFileSync(entry, code);
  await expect(bundle([{ name: "sharing", entry }], directory)).rejects.toThrow(/imported|exports/);
});

test("every bundle loads", () => {
  const files = [...families, ...consumers].map(({ name }) => entryFile(bundles, name));
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
  expect(answer).toEqual(await catalog(event, aContext()));
  expect(answer).toMatchObject({
    statusCode: expect.toSatisfy((code) => code >= 400 && code < 500),
  });
});

test.each([
  anEvent("GET /docs/api.json"),
  anEvent("$default", { path: "/webhooks/stripe" }),
  anEvent("$default", { path: "/api/v1/admin/orders/1" }),
  anEvent("$default", { path: "/api/v1/nothing" }),
])("a bundle says of all routes what the sources say: $routeKey $rawPath", async (event) => {
  expect(answerOfBundle("docs", event)).toEqual(await docs(event, aContext()));
});

test("no bundle describes routes itself", async () => {
  const describing = { name: "describing", entry: "shared/http/openapi.ts" };
  await expect(bundle([describing], directory)).rejects.toThrow("describing describes routes");
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

test("what the recipe takes out of the table's client is not missed", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  const table = await startDynamoDb({ tableName: "shop", endpoint: undefined, dropTable: true });
  onTestFinished(() => table.stop());
  const { errorsOfTable, errorWithoutClass } = createRequire(import.meta.url)(
    bundleFile(directory, "clients"),
  ) as Record<string, (endpoint: string, tableName: string) => Promise<unknown>>;
  const chair = { pk: { S: "chair" }, sk: { S: "1" } };
  expect(await errorsOfTable?.(table.endpoint, "shop")).toEqual({
    found: chair,
    reasons: [expect.objectContaining({ Code: "ConditionalCheckFailed", Item: chair })],
    isOfService: "ResourceNotFoundException",
  });

  const server = await listen(0);
  onTestFinished(server.stop);
  server.serve((request, response) => {
    request.resume();
    response
      .writeHead(400, { "content-type": "application/x-amz-json-1.0" })
      .end(`{"__type":"com.amazonaws.dynamodb.v20120810#TableInUseException","message":"Busy"}`);
  });
  expect(await errorWithoutClass?.(server.baseUrl, "shop")).toEqual({
    name: "TableInUseException",
    message: "Busy",
  });
});

test("what the recipe takes out of the logger is not missed", () => {
  const script = "require(process.argv[1]).logLines()";
  const { stderr } = spawnSync(process.execPath, ["-e", script, bundleFile(directory, "clients")], {
    encoding: "utf8",
    env: { POWERTOOLS_LOG_LEVEL: "WARN" },
  });
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    expect.objectContaining({ level: "WARN", message: "A warning", service: "clients", fact: 1 }),
    expect.objectContaining({
      level: "ERROR",
      message: "An error",
      cause: expect.objectContaining({ name: "RangeError", message: "too far" }),
    }),
  ]);
});

describe("a package that is loaded later", () => {
  const gatewayBundle = () => bundleFile(directory, "gateway");

  test("lies beside the bundle of the function that declares it, and in none", () => {
    expect(statSync(gatewayBundle()).size).toBeLessThan(100_000);
    expect(statSync(laterFile(directory, "gateway", "stripe")).size).toBeGreaterThan(100_000);
    for (const { name } of [...families, ...consumers]) {
      expect(readFileSync(bundleFile(bundles, name), "utf8")).not.toContain("api.stripe.com");
    }
  });

  test("works from there", async () => {
    const stripe = await startStripe({ webhookUrl: "http://127.0.0.1:9/" });
    onTestFinished(stripe.stop);
    const { handler } = createRequire(import.meta.url)(entryFile(directory, "gateway")) as {
      handler(...given: unknown[]): Promise<unknown>;
    };
    const body = `{"id":"evt_1","data":{"object":{"object":"payment_intent","id":"pi_1"}}}`;
    const { webhookSecret: secret } = standInKeys;
    const signature = signatureOf(body, secret, Math.floor(Date.now() / 1000));
    expect(await handler(standInKeys, stripe.endpoint, { body, signature, secret })).toEqual({
      state: "open",
      isFound: true,
      notice: { id: "evt_1", paymentId: "pi_1" },
    });
  });

  test("has to be declared", async () => {
    const undeclared = { name: "undeclared", entry: "test/infra/bundled-gateway.ts" };
    await expect(bundle([undeclared], directory)).rejects.toThrow(
      "undeclared loads ./stripe.cjs and does not declare it",
    );
  });
});

describe("a package with machine code", () => {
  const entry = "test/infra/bundled-passwords.ts";
  const declared = { name: "passwords", entry, packages: ["@node-rs/argon2"] };

  test("travels beside the bundle, which loads it when it hashes a password", async () => {
    await bundle([declared], directory);
    const require = createRequire(import.meta.url);
    const { handler } = require(entryFile(directory, declared.name)) as typeof Passwords;
    const folder = join(directory, declared.name, "node_modules");
    const loaded = () => Object.keys(require.cache).filter((path) => path.startsWith(folder));
    expect(loaded()).toEqual([]);
    const hash = await handler({ password: "a long enough password" });
    expect(loaded()).not.toEqual([]);
    expect(await passwordFits("a long enough password", hash)).toBe(true);
  });

  test("has to be declared by every function that loads it", async () => {
    const undeclared = { name: "undeclared", entry };
    await expect(bundle([declared, undeclared], directory)).rejects.toThrow(
      "undeclared loads @node-rs/argon2 and does not declare it in `packages`",
    );
  });
});

describe("a code cache", () => {
  const failing = { name: "failing", entry: "test/infra/bundled-failure.ts", later: ["ulid"] };
  beforeAll(async () => {
    await bundle([failing], directory);
    // As CDK names its output.
    await addCodeCaches([failing], relative(process.cwd(), directory));
  });

  /** What the bundle answers in a process of its own, and what became of the caches of its files. */
  function run(flags: readonly string[]) {
    const script =
      "require(process.argv[1]).handler().then((answer) => console.log(JSON.stringify(answer)))";
    const out = execFileSync(
      process.execPath,
      [...flags, "-e", script, entryFile(directory, "failing")],
      { encoding: "utf8", env: { POWERTOOLS_LOG_LEVEL: "DEBUG" } },
    );
    const lines = out.trim().split("\n");
    return lines.map((line) => JSON.parse(line) as object);
  }
  const states = (state: string) =>
    ["./bundle.cjs", "./ulid.cjs"].map((name) => ({ message: "Code cache", name, state }));

  test("is taken by the Node that made it when it runs as Lambda runs it, for later files too", () => {
    const [answer, ...rest] = run(lambdaFlags).toReversed();
    expect(rest.toReversed()).toEqual(states("used"));
    expect(answer).toMatchObject({ id: expect.stringMatching(/^[0-9A-Z]{26}$/) });
  });

  test("is refused where flags differ, and the function answers all the same", () => {
    const [answer, ...rest] = run([]).toReversed();
    expect(rest.toReversed()).toEqual(states("refused"));
    expect(answer).toMatchObject({ id: expect.stringMatching(/^[0-9A-Z]{26}$/) });
  });

  test("leaves stack traces where they were", () => {
    const places = [lambdaFlags, []].map((flags) => {
      const { place } = run(flags).at(-1) as { place: string };
      return place;
    });
    const [line = 0, column = 0] = (places[0] ?? "").split(":").slice(-2).map(Number);
    const source = readFileSync(bundleFile(directory, "failing"), "utf8").split("\n")[line - 1];
    expect(places[1]).toBe(places[0]);
    expect(source?.slice(column - 1)).toMatch(/^(new )?\w*Error\("here"\)/);
  });

  test("lies beside the bundle of every function", () => {
    for (const { name } of [...families, ...consumers]) {
      expect(statSync(cacheOf(bundleFile(bundles, name))).size).toBeGreaterThan(10_000);
    }
  });
});
