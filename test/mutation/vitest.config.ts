import { appendFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";
import main from "../vitest.config.ts";

/** Adds a line about each test file that ends to the file that `TEST_FILE_RESULTS` names. */
class LinePerTestFile implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const failed = module.children.allTests("failed").next().value?.fullName;
    const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
    const result = {
      file: module.relativeModuleId,
      passed: module.ok(),
      ...(!module.ok() && { failed: failed ?? module.errors()[0]?.message ?? "" }),
      ms: Math.round(collectDuration + duration + prepareDuration + setupDuration),
      hits: module.meta().hits ?? [],
    };
    appendFileSync(process.env["TEST_FILE_RESULTS"] ?? "", `${JSON.stringify(result)}\n`);
    if (covers) console.log(`${result.passed ? "passed" : "failed"} ${result.file}`);
  }
}

/** Whether this run finds out which test files run the code of which mutants. */
const covers = process.env["COVERS"] === "1";

const projects = (main.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== "object" || !("test" in project)) return [];
  const setupFiles = ["test/mutation/mark-mutants.ts", project.test?.setupFiles ?? []].flat();
  // A process per test file, so that what runs when a module loads counts for each file that loads it.
  return [{ ...project, test: { ...project.test, setupFiles, ...(covers && { isolate: true }) } }];
});

export default defineConfig({
  ...main,
  test: {
    ...main.test,
    maxWorkers: Number(process.env["TEST_WORKERS"] ?? 1),
    // A mutant may fill the memory without end.
    execArgv: ["--max-old-space-size=2048"],
    sequence: { ...main.test?.sequence, setupFiles: "list" },
    reporters: [new LinePerTestFile()],
    projects,
  },
});
