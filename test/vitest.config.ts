import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const hostile = "test/api/hostile-input.test.ts";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // One more than the cores it is made for: many tests wait, for a view, a clock or a deadline.
    maxWorkers: 3,
    // A worker loads the sources and the SDK once, not once for each file: nothing is left behind in either.
    isolate: false,
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 15_000 } },
      {
        test: {
          name: "infra",
          include: ["test/infra/**/*.test.ts"],
          // What CDK checks by itself takes most of a synth and only warns; broken rules of cdk-nag throw all the same.
          env: { CDK_VALIDATION: "false" },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // These share one stack with the demo data; each makes what it changes itself.
        test: {
          name: "service",
          include: ["test/api/**/*.test.ts", "test/e2e/**/*.test.ts"],
          exclude: [hostile],
          globalSetup: "test/support/shared-stack.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Writes examples into every document of the shop, so that it needs one that nobody else looks at. It calls
        // every route in many ways, so that it is served from the bundles.
        test: {
          name: "hostile",
          include: [hostile],
          globalSetup: "test/support/bundled-stack.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
