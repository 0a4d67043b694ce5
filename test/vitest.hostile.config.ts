import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { RunReporter } from "./support/stack/run-reporter.ts";

// Makes the logger of the functions print through the console, where vitest and the reporter collect its lines.
process.env["POWERTOOLS_DEV"] = "true";

const hostileInput = "test/hostile/hostile-input.test.ts";
const limits = { testTimeout: 300_000, hookTimeout: 300_000 };

/** Hostile values, faults and storms. They run separately: they are slow, and other tests would distort their costs. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Other tests would distort the CPU time.
    maxWorkers: 1,
    isolate: false,
    // Prints logs of failed tests only.
    silent: "passed-only",
    reporters: [process.stdout.isTTY ? "default" : "minimal", new RunReporter()],
    projects: [
      {
        test: {
          name: "hostile",
          include: ["test/hostile/*.test.ts"],
          exclude: [hostileInput],
          globalSetup: "test/support/stack/shared-stack.ts",
          ...limits,
        },
      },
      {
        // This test writes examples into every document, so it needs a separate shop. It calls every route in many
        // ways, so its shop runs the bundles, which are tested at the same time.
        test: {
          name: "hostile input",
          include: [hostileInput],
          globalSetup: "test/support/stack/bundled-stack.ts",
          ...limits,
        },
      },
    ],
  },
});
