import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { RunReporter } from "./support/stack/run-reporter.ts";

// Makes the logger of the functions print through the console, where vitest and the reporter collect its lines.
process.env["POWERTOOLS_DEV"] = "true";

// Deletes what tests, CDK and stacks leave in the temporary directory.
const scratch = mkdtempSync(join(tmpdir(), "furniture-tests-"));
process.env["TMPDIR"] = scratch;
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Generous limits: they only end tests that hang. */
const limits = { testTimeout: 1_200_000, hookTimeout: 600_000, teardownTimeout: 60_000 };

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // One more than the target machine's cores, because many tests wait for an index, a clock or a deadline.
    maxWorkers: 3,
    // A worker loads the sources and the SDK once instead of per file, because neither keeps state between tests.
    isolate: false,
    // Logs are printed for failed tests only.
    silent: "passed-only",
    reporters: [process.stdout.isTTY ? "default" : "minimal", new RunReporter()],
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], ...limits } },
      {
        test: {
          name: "infra",
          include: ["test/infra/**/*.test.ts"],
          // CDK's own checks take most of the time of a synth, and only warn. Violated cdk-nag rules still throw.
          env: { CDK_VALIDATION: "false" },
          ...limits,
        },
      },
      {
        // These tests share one stack with the demo data; each creates the records that it changes.
        test: {
          name: "service",
          include: ["test/api/**/*.test.ts", "test/e2e/**/*.test.ts"],
          globalSetup: "test/support/stack/shared-stack.ts",
          ...limits,
        },
      },
    ],
  },
});
