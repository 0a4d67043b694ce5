import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { RunReporter } from "#test/reporter/run-reporter.ts";

/** Generous limits: they only end tests that hang. */
const limits = { testTimeout: 1_200_000, hookTimeout: 600_000, teardownTimeout: 60_000 };

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    tags: ["slow", "emulator"].map((name) => ({ name })),
    include: ["test/dynamodb-local/*.test.ts", "test/unit/storage/*.test.ts"],
    setupFiles: "test/support/stack/each-file.ts",
    // Makes the logger of the functions print through the console, so that logs are printed for failed tests only.
    // No test may depend on how fast the machine is.
    env: { POWERTOOLS_DEV: "true", TIMEOUT_MULTIPLIER: "60" },
    silent: "passed-only",
    reporters: [new RunReporter()],
    // The engine takes one of two cores.
    maxWorkers: 2,
    isolate: false,
    ...limits,
  },
});
