import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEngine } from "./engine.ts";
import { NotToBeHad, fetchDynamoDbLocal } from "./fetch.ts";

const root = join(import.meta.dirname, "../..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");

/**
 * Arguments of vitest for each engine. An engine runs one transaction after another, so two hundred concurrent buyers
 * would delay other requests past their timeouts. It also slows down with each record, and after thousands of tests
 * its in-memory queue may stop, so the other files share several engines.
 */
const races = "test/api/checkout/races.test.ts";
const shards = 4;
const wholeApi: readonly (readonly string[])[] = [
  ...Array.from({ length: shards }, (_, index) => [
    "test/api",
    `--exclude=${races}`,
    `--shard=${index + 1}/${shards}`,
  ]),
  [races],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // In CI the tests have already passed on the emulator, so a missing DynamoDB Local is no failure.
  options: { "where-possible": { type: "boolean", default: false } },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => process.exit(1));

process.exitCode = await runAll(positionals.length > 0 ? [positionals] : wholeApi).catch(
  (problem: unknown) => {
    if (!(problem instanceof NotToBeHad)) throw problem;
    console.error(`The API tests were not run on DynamoDB Local: ${problem.message}`);
    return values["where-possible"] ? 0 : 1;
  },
);

/** @returns the exit code: that of the last failed run, else 0 */
async function runAll(runs: readonly (readonly string[])[]): Promise<number> {
  const folder = await fetchDynamoDbLocal();
  let failed = 0;
  for (const selection of runs) {
    const engine = await startEngine(folder);
    try {
      failed = (await runTests(selection, engine.endpoint)) || failed;
    } finally {
      await engine.stop();
    }
  }
  return failed;
}

async function runTests(selection: readonly string[], endpoint: string): Promise<number> {
  // The engine is slow: a test that timed out runs once more. A request that the engine refuses fails again.
  const run = ["run", "--config", "test/vitest.config.ts", "--retry", "1", ...selection];
  const tests = spawn(process.execPath, [vitest, ...run], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, DYNAMODB_ENDPOINT: endpoint },
  });
  const [code] = (await once(tests, "exit")) as [number | null];
  return code ?? 1;
}
