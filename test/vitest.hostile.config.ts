import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { RunReporter } from "./support/stack/run-reporter.ts";

const hostileInput = "test/hostile/hostile-input.test.ts";
const limits = { testTimeout: 300_000, hookTimeout: 300_000 };

/** What is sent to harm the service: values, faults and storms. It takes its time, and costs are measured by themselves. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Beside other tests their CPU time would be measured as well.
    maxWorkers: 1,
    isolate: false,
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
        // Writes examples into every document of the shop, so that it needs one that nobody else looks at. It calls
        // every route in many ways, so that it is served from the bundles.
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
