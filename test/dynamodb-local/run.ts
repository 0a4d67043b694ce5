import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NotToBeHad } from "#test/support/emulators/foreign-server.ts";
import { fetchDynamoDbLocal, startDynamoDbLocal } from "./engine.ts";

const root = join(import.meta.dirname, "../..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const config = "test/vitest.dynamodb-local.config.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // In CI the tests have already passed on the emulator, so a missing DynamoDB Local is no failure.
  options: { "where-possible": { type: "boolean", default: false } },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => process.exit(1));

process.exitCode = await runTests(positionals).catch((problem: unknown) => {
  if (!(problem instanceof NotToBeHad)) throw problem;
  console.error(`The storage tests were not run on DynamoDB Local: ${problem.message}`);
  return values["where-possible"] ? 0 : 1;
});

/**
 * @param selection names of test files; default: all
 * @returns the exit code
 */
async function runTests(selection: readonly string[]): Promise<number> {
  const folder = await fetchDynamoDbLocal();
  const startedAt = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), "dynamodb-local-tests-"));
  const engine = await startDynamoDbLocal(folder);
  try {
    const tests = spawn(process.execPath, [vitest, "run", "--config", config, ...selection], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, DYNAMODB_ENDPOINT: engine.endpoint, TMPDIR: scratch },
    });
    const [code] = (await once(tests, "exit")) as [number | null];
    return code ?? 1;
  } finally {
    await engine.stop();
    rmSync(scratch, { recursive: true, force: true });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(`The storage tests took ${seconds} s on DynamoDB Local.`);
  }
}
