import { demoLogins } from "#infra/local/demo/data/staff.ts";
import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { startStack } from "#infra/local/stack.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { cpuSecondsOf, descendantsOf, residentMbOf } from "./cpu.ts";

/** A message from the process that runs the stack to the benchmark, about what the stack contains. */
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
/** CPU seconds so far of this process and its children: the DynamoDB emulator. */
export interface CpuNews {
  readonly cpuSeconds: number;
  readonly emulatorSeconds: number;
  readonly residentMb: number;
  /** Memory in use, without garbage if the process can collect it. */
  readonly heapMb: number;
  readonly emulatorMb: number;
}

const products = 40;

const stack = await startStack({ seed: seedIfEmpty });
const planted = await Promise.all(
  Array.from({ length: products }, () =>
    plantProduct(tableOf(stack.environment), { units: 1_000_000 }),
  ),
);
await stack.settled();

let atRest = false;
process.on("message", async ({ rest = false }: CpuQuestion) => {
  if (!atRest || !rest) {
    stack.resumeConsumers();
    // The consumers' work for these requests is part of their cost.
    await stack.settled();
    if (rest) stack.pauseConsumers();
    atRest = rest;
  }
  const { user, system } = process.cpuUsage();
  await globalThis.gc?.({ execution: "async" });
  const { rss, heapUsed } = process.memoryUsage();
  tell({
    cpuSeconds: (user + system) / 1e6,
    emulatorSeconds: cpuSecondsOf(descendantsOf(process.pid)),
    residentMb: rss / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    emulatorMb: residentMbOf(descendantsOf(process.pid)),
  });
});
process.on("disconnect", () => void stack.stop().then(() => process.exit(0)));
tell({
  baseUrl: stack.baseUrl,
  skus: planted.map(({ sku }) => sku),
  slug: await anySlug("products"),
  sofa: await anySlug("sofas"),
  staffToken: await staffToken(),
  mailbox: stack.environment.SES_ENDPOINT,
});

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
