import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { RunReporter } from "#test/reporter/run-reporter.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

// Makes the logger of the functions print through the console, where vitest collects its lines.
process.env["POWERTOOLS_DEV"] = "true";

// No test may depend on how fast the machine is. Tests of a timeout set their own.
process.env["TIMEOUT_MULTIPLIER"] = "60";

// Deletes what tests, CDK and stacks leave in the temporary directory.
const scratch = mkdtempSync(join(tmpdir(), "furniture-tests-"));
process.env["TMPDIR"] = scratch;
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

const isNamed = process.argv.some((each) => /^(?:\.\/)?test\/(?!.*\.config\.ts$)/.test(each));
/** Whether everything runs: in `npm run test:all`, and of what is named, unless TIER is `daily`. */
const all = (process.env["TIER"] ?? (isNamed ? "all" : "daily")) === "all";

const tags = [
  { name: "slow", description: "Runs only in `npm run test:all`." },
  { name: "emulator", description: "Uses the emulator of DynamoDB, not a table in memory." },
];

/** The test files of this tier. A file that is slow as a whole is not even imported by `npm test`. */
const files = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root }).filter(
    (file) => all || !textOf(file).includes("@module-tag slow"),
  );

/** Runs files that declare the same effects one after the other, so that few stacks start. */
class ByEffects extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const effects = ({ moduleId }: TestSpecification): string =>
      /effects: \[(.*?)\]/s.exec(readFileSync(moduleId, "utf8"))?.[1] ?? "";
    const sorted = await super.sort(specifications);
    return [...Map.groupBy(sorted, effects).values()].flat();
  }
}

/** Generous limits: they only end tests that hang. */
const limits = { testTimeout: 1_200_000, hookTimeout: 600_000, teardownTimeout: 60_000 };

export default defineConfig({
  root,
  test: {
    tags,
    ...(!all && { tagsFilter: ["!slow"] }),
    // As many as cores: each worker loads the sources and starts stacks of its own.
    maxWorkers: availableParallelism(),
    // A worker loads the sources and the SDK once instead of per file, because neither keeps state between tests.
    isolate: false,
    // Node runs the sources as it does in `npm start`. No test mocks a module, so vitest need not transform them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: ByEffects },
    // Logs are printed for failed tests only.
    silent: "passed-only",
    reporters: [new RunReporter()],
    setupFiles: "test/support/stack/each-file.ts",
    projects: [
      {
        // The tests of the storage that use a table run in memory and, here, on the emulator of DynamoDB.
        extends: true,
        test: {
          name: "storage-emulator",
          include: files("test/unit/storage/**/*.test.ts").filter(
            (file) =>
              textOf(file).includes("startTestTable") &&
              !textOf(file).includes("@module-tag emulator"),
          ),
          env: { TABLE: "emulator" },
          ...limits,
        },
      },
      {
        // One project, because projects do not share workers.
        extends: true,
        test: {
          name: "main",
          include: files(
            "test/unit/**/*.test.ts",
            "test/infra/**/*.test.ts",
            "test/api/**/*.test.ts",
            "test/e2e/**/*.test.ts",
          ),
          // CDK's own checks take most of the time of a synth, and only warn. Violated cdk-nag rules still throw.
          env: { CDK_VALIDATION: "false" },
          ...limits,
        },
      },
      {
        // Hostile values, faults and storms. They run alone, because other tests would distort the CPU time.
        extends: true,
        test: {
          name: "hostile",
          include: files("test/hostile/*.test.ts"),
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...limits,
        },
      },
    ],
  },
});
