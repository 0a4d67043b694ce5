import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What costs CPU to refuse is measured by itself: beside other tests it would measure them as well. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    name: "cost of refusals",
    include: ["test/hostile/**/*.test.ts"],
    globalSetup: "test/support/shared-stack.ts",
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
