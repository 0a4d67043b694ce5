import { demoLogins } from "#infra/local/demo/data/staff.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundledFunctions } from "#infra/local/functions/bundled-functions.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { startStack } from "#infra/local/stack.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { cpuSecondsOf, descendantsOf, residentMbOf } from "./cpu.ts";
import { manyProducts, numbered } from "./growing-catalog.ts";
import { plantRecentOrders } from "./recent-orders.ts";
import { scenarios } from "./scenarios.ts";
import type { BareCall } from "./sdk-process.ts";
import { callsOfVisit } from "./visit-calls.ts";

/** Tells the benchmark what the stack contains. The process that runs the stack sends it. */
export interface StackNews {
  readonly baseUrl: string;
  /** SKUs with more stock than a run can sell. */
  readonly skus: readonly string[];
  readonly slug: string;
  readonly sofa: string;
  readonly staffToken: string;
  /** The address of the stack's mail server, which keeps mails in memory. */
  readonly mailbox: string;
}
/** Asks for the CPU time used so far. */
export interface CpuQuestion {
  /** Pauses the consumers, and does not wait until they have processed their messages. */
  readonly rest?: boolean;
}
/** Asks for the calls to DynamoDB of one visit. */
export interface CallsQuestion {
  readonly callsOf: string;
}
/** CPU time and memory so far of this process and of its child process, the DynamoDB emulator. */
export interface CpuNews {
  readonly cpuSeconds: number;
  /** CPU seconds of the threads of families and authorizer; 0 if the functions run in the process's own thread. */
  readonly answeringSeconds: number;
  readonly consumerSeconds: number;
  readonly emulatorSeconds: number;
  readonly residentMb: number;
  /** Memory in use, without garbage if the process can collect it. */
  readonly heapMb: number;
  readonly emulatorMb: number;
}

const products = 40;

/** With the argument `threads`, each function is a bundle in a separate thread, so that its CPU time is known. */
const threads = process.argv.includes("threads")
  ? bundledFunctions(await localBundles())
  : undefined;
const stack = await startStack({ shop: "planted", ...(threads && { functions: threads }) });
const planted = await Promise.all(
  Array.from({ length: products }, () =>
    plantProduct(tableOf(stack.environment), { units: 1_000_000 }),
  ),
);
/** With the argument `many`, the catalog is as large as that of the other shop in the bench `peers`. */
for (let at = 0; process.argv.includes("many") && at < manyProducts; at++) {
  const { slug, name, materials, options, variants } = numbered(at).product;
  const same = { slug, name, materials, options, variants, units: 1_000_000 };
  await plantProduct(tableOf(stack.environment), same);
}
await plantRecentOrders(tableOf(stack.environment));
await stack.settled();

let atRest = false;
process.on("message", async (question: CpuQuestion | CallsQuestion) => {
  if ("callsOf" in question) return process.send?.(await callsOf(question.callsOf));
  const { rest = false } = question;
  if (!atRest || !rest) {
    stack.resumeConsumers();
    // The consumers' work for these requests is part of their cost.
    await stack.settled();
    if (rest) await stack.pauseConsumers();
    atRest = rest;
  }
  const { user, system } = process.cpuUsage();
  await globalThis.gc?.({ execution: "async" });
  const { rss, heapUsed } = process.memoryUsage();
  tell({
    cpuSeconds: (user + system) / 1e6,
    ...(await functionSeconds()),
    emulatorSeconds: cpuSecondsOf(descendantsOf(process.pid)),
    residentMb: rss / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    emulatorMb: residentMbOf(descendantsOf(process.pid)),
  });
});
process.on("disconnect", () => void stop().then(() => process.exit(0)));
const target: StackNews = {
  baseUrl: stack.baseUrl,
  skus: planted.map(({ sku }) => sku),
  slug: await anySlug("products"),
  sofa: await anySlug("sofas"),
  staffToken: await staffToken(),
  mailbox: stack.environment.SES_ENDPOINT,
};
tell(target);

async function stop(): Promise<void> {
  await stack.stop();
  await threads?.stop();
}

async function callsOf(scenario: string): Promise<readonly BareCall[]> {
  const visit = scenarios[scenario]?.visit;
  if (!visit) return [];
  const service = await startProxiedService(stack.environment);
  try {
    return await callsOfVisit(service, visit, target);
  } finally {
    await service.stop();
  }
}

async function functionSeconds(): Promise<Pick<CpuNews, "answeringSeconds" | "consumerSeconds">> {
  const seconds = [...((await threads?.cpuSeconds()) ?? [])];
  const answering = new Set([authorizer, ...families].map(({ name }) => name));
  const sum = (isWanted: (name: string) => boolean) =>
    seconds.reduce((total, [name, each]) => total + (isWanted(name) ? each : 0), 0);
  return {
    answeringSeconds: sum((name) => answering.has(name)),
    consumerSeconds: sum((name) => !answering.has(name)),
  };
}

function tell(news: StackNews | CpuNews): void {
  process.send?.(news);
}

async function anySlug(list: "products" | "sofas"): Promise<string> {
  const answer = await fetch(`${stack.baseUrl}/api/v1/${list}`);
  return ((await answer.json()) as { data: { slug: string }[] }).data[0]?.slug ?? "";
}

async function staffToken(): Promise<string> {
  const { email, password } = demoLogins[0] ?? {};
  const answer = await fetch(`${stack.baseUrl}/api/v1/admin/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}
