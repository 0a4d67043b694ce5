// @module-tag emulator
// @module-tag slow
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { smoke } from "#infra/cli/smoke.ts";
import { demoLogins } from "#infra/local/demo/data/staff.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import {
  type BreakingFront,
  brokenRequestId,
  startBreakingFront,
} from "#test/support/emulators/failing-servers.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { clientOf } from "#test/support/http/client.ts";
import { awaits, consumersOf } from "#test/support/stack/effects.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const [owner] = demoLogins;
const staff = { email: owner!.email, password: owner!.password, totpSecret: undefined };
const everyStep = [
  "health",
  "description",
  "browse",
  "price",
  "cart",
  "staff login",
  "checkout",
  "cancel",
  "index query",
  "upload",
  "mail",
  "staff logout",
];

let stack: Stack;
let front: BreakingFront;
beforeAll(async () => {
  stack = await startStack({
    shop: "planted",
    consumers: consumersOf(["mail", "media", "metrics"]),
  });
  front = await startBreakingFront(stack.baseUrl);
});
afterAll(async () => {
  await front.stop();
  await stack.stop();
});

/** Runs the smoke test in this process. */
async function run(options: Partial<Parameters<typeof smoke>[0]> = {}) {
  const lines: string[] = [];
  const passed = await smoke(
    { url: front.baseUrl, postalCode: "560001", staff, ...options },
    (line) => lines.push(line),
  );
  return { passed, lines };
}

/** Runs the smoke test from the command line, as an operator does. */
async function command(url: string, environment: Record<string, string>) {
  const file = fileURLToPath(new URL("../../infra/cli/smoke.ts", import.meta.url));
  const args = [file, "--url", url, "--postal-code", "560001"];
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    const child = execFile(process.execPath, args, { env: environment }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, lines: stdout.trimEnd().split("\n") }),
    );
  });
}

interface Stock {
  readonly sku: string;
  readonly available: number;
  readonly reserved: number;
}

/** Signs in as the owner, and returns a function that reads the data of a path. */
async function reader() {
  const client = clientOf(stack.baseUrl);
  const { body: login } = await client.post<{ data: { token: string } }>(
    "/admin/auth/login",
    staff,
  );
  const authorization = `Bearer ${login.data.token}`;
  return async <Answer>(path: string) =>
    (await client.get<{ data: Answer }>(path, { authorization })).body.data;
}

/** Everything that staff see about sales, and the stock of the first products. */
async function metrics(): Promise<unknown> {
  awaits("metrics");
  await stack.settled();
  const read = await reader();
  const stocks = await read<Stock[]>("/admin/inventory?per_page=100");
  return [
    await read("/admin/dashboard"),
    await read("/admin/analytics/overview"),
    stocks.map(({ sku, available, reserved }) => ({ sku, available, reserved })),
  ];
}

/** Makes a change that the metrics count, which shows that they would count a change by the smoke test, too. */
async function countedLead(): Promise<void> {
  const read = await reader();
  const leads = async () => {
    const { leads } = await read<{ leads: { new: { last_30_days: number } } }>("/admin/dashboard");
    return leads.new.last_30_days;
  };
  const before = await leads();
  const form = { type: "contact", name: "Asha", email: "asha@example.com", consent: true };
  expect((await clientOf(stack.baseUrl).post("/leads", form)).status).toBe(201);
  await waitFor("metrics", async () => expect(await leads()).toBe(before + 1));
}

test("the smoke command tests every step, prints one line for each, and does not change the metrics", async () => {
  front.breakCalls([]);
  await countedLead();
  const before = await metrics();
  const { code, lines } = await command(front.baseUrl, {
    SMOKE_EMAIL: staff.email,
    SMOKE_PASSWORD: staff.password,
  });
  expect(lines.map((line) => line.split(": ").slice(0, 2).join(": ").split(",")[0])).toEqual(
    everyStep.map((step) => `${step}: ok`),
  );
  expect(code).toBe(0);
  expect(await metrics()).toEqual(before);
  const mails = await inboxOf(stack.environment.SES_ENDPOINT).mailsTo(simulatorAddress);
  expect(mails.map(({ subject }) => subject).join()).toMatch(/Test mail/);
});

test.each([
  ["health", "GET", /\/health$/],
  ["description", "GET", /\/docs\/api\.json$/],
  ["browse", "GET", /\/products$/],
  ["price", "POST", /\/price$/],
  ["cart", "POST", /\/cart$/],
  ["staff login", "POST", /\/admin\/auth\/login$/],
  ["checkout", "POST", /\/checkout$/],
  ["cancel", "PATCH", /\/admin\/orders\//],
  ["upload", "GET", /\/media\/fabric\//],
  ["mail", "POST", /\/settings\/email\/test$/],
  ["staff logout", "POST", /\/admin\/auth\/logout$/],
] as const)(
  "the smoke command reports the failed step with its request id: %s",
  async (step, method, path) => {
    front.breakCalls([[method, path]]);
    const { passed, lines } = await run();
    expect(lines.filter((line) => line.includes("FAILED"))).toEqual([
      expect.stringMatching(
        new RegExp(`^${step}: FAILED: 500.*\\(request id ${brokenRequestId}\\)$`),
      ),
    ]);
    expect(lines.map((line) => line.split(": ")[0])).toEqual(everyStep);
    expect(passed).toBe(false);
  },
);

test("the smoke command exits with 1 and prints the request id if the list of orders, which queries an index of the table, fails", async () => {
  front.breakCalls([["GET", /\/admin\/orders$/]]);
  const { code, lines } = await command(front.baseUrl, {
    SMOKE_EMAIL: staff.email,
    SMOKE_PASSWORD: staff.password,
  });
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^index query: FAILED: 500.*${brokenRequestId}`)),
  );
  expect(code).toBe(1);
});

test("the smoke command cancels the order that an interrupted run left behind", async () => {
  front.breakCalls([["PATCH", /\/admin\/orders\//]]);
  const { lines } = await run();
  const left = /FS-[\w-]+/.exec(lines.join("\n"))?.[0];
  front.breakCalls([]);
  expect((await run()).passed).toBe(true);
  const tracked = await clientOf(stack.baseUrl).get<{ data: { status: string } }>(
    `/orders/track/${left}`,
  );
  expect(tracked.body.data.status).toBe("cancelled");
});

test("the smoke command skips the documentation if that is not public, and the steps that only staff can undo if no staff login is configured", async () => {
  front.breakCalls([["GET", /\/docs\//]], 404);
  const { passed, lines } = await run({ staff: undefined });
  expect(passed).toBe(true);
  expect(lines.filter((line) => line.includes("skipped: "))).toEqual([
    "description: skipped: the docs are closed",
    "staff login: skipped: SMOKE_EMAIL and SMOKE_PASSWORD are not set",
    "checkout: skipped: no staff user is signed in",
    "cancel: skipped: no order was placed",
    "index query: skipped: no staff user is signed in",
    "mail: skipped: no staff user is signed in",
    "staff logout: skipped: no staff user is signed in",
  ]);
});

test("the smoke command says that no shop answers at a wrong address", async () => {
  front.breakCalls([["GET", /./]], 404);
  const { passed, lines } = await run({ staff: undefined });
  front.breakCalls([]);
  expect(passed).toBe(false);
  expect(lines[0]).toMatch(/^health: FAILED: 404/);
  expect(lines[1]).toBe("description: skipped: no shop answers at this address");
});

test("the smoke command skips the steps for which an empty shop has no data", async () => {
  const empty = await startStack({ consumers: consumersOf(["media"]) });
  try {
    const { passed, lines } = await run({ url: empty.baseUrl, staff: undefined });
    expect(passed, lines.join("\n")).toBe(true);
    expect(lines).toEqual(
      expect.arrayContaining([
        "browse: skipped: no product is published and in stock",
        "price: skipped: no sofa is published",
        "cart: skipped: there is no product to add",
      ]),
    );
  } finally {
    await empty.stop();
  }
});
