import { parseArgs } from "node:util";
import { claimDataDir } from "./data-dir.ts";
import { announce } from "./running-stack.ts";
import { keptShop, plantedShop, startsFromCopy } from "./planting/planted-shop.ts";
import { startScreen } from "./start-screen.ts";
import { stackOptions } from "./stack-options.ts";
import { type StackOptions, startStack } from "./stack.ts";

// Functions log what went wrong only, unless the variable asks for more.
process.env["POWERTOOLS_LOG_LEVEL"] ??= "WARN";

const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
// npm forwards Ctrl-C, so the signal arrives twice. The second one has no effect.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());

try {
  await run();
  process.exit(0);
} catch (problem) {
  console.error(explain(problem));
  process.exit(1);
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { bundled: { type: "boolean", default: false } } });
  const options: StackOptions = {
    ...stackOptions(process.env),
    bundles: values.bundled ? await bundles() : undefined,
  };
  const release = options.dataDir === undefined ? undefined : claimDataDir(options.dataDir);
  try {
    await serveUntilStopped(options);
  } finally {
    release?.();
  }
}

async function serveUntilStopped(options: StackOptions): Promise<void> {
  // Planting in this process is faster than waiting until another one has made the planted shop.
  const mustPlant = startsFromCopy(options) && keptShop() === undefined;
  const shop = mustPlant ? await seeded() : ({ shop: "planted" } as const);
  const stack = await startStack({ ...options, ...shop, storefront: true });
  try {
    const withdraw = announce(stack);
    console.log((await startScreen(stack, options)).join("\n"));
    // Metrics, PDFs, mails and search by name follow, as they do after any write.
    void stack.settled().then(freeMemory);
    if (mustPlant) void stack.settled().then(plantedShop).catch(console.error);
    await stopped;
    withdraw();
  } finally {
    await stack.stop();
  }
}

// The planter and the bundler are loaded only if they are needed.
async function seeded() {
  const { seedIfEmpty } = await import("./planting/seed-if-empty.ts");
  return { seed: seedIfEmpty };
}

async function bundles(): Promise<string> {
  const { localBundles } = await import("./functions/local-bundles.ts");
  return localBundles();
}

/** Returns the memory that only starting needed to the system. */
function freeMemory(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

function explain(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  if ("code" in problem && problem.code === "EADDRINUSE") {
    return `${problem.message}. Set PORT to another port, or to 0 for any free port.`;
  }
  if ("code" in problem && String(problem.code).startsWith("ERR_PARSE_ARGS_")) {
    return `${problem.message}. Usage: npm start [-- --bundled]`;
  }
  return problem instanceof RangeError ? problem.message : (problem.stack ?? problem.message);
}
