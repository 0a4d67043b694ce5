import { appendFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";
import main from "../vitest.config.ts";

/** Adds a line about each test file that ends to the file that `TEST_FILE_RESULTS` names. */
class LinePerTestFile implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { hits = [], cpuMs = 0 } = module.meta();
    const failed = module.children.allTests("failed").next().value?.fullName;
    const result = {
      file: module.relativeModuleId,
      project: module.project.name,
      passed: module.ok(),
      ...(!module.ok() && { failed: failed ?? module.errors()[0]?.message ?? "" }),
      cpuMs,
      hits,
    };
    appendFileSync(process.env["TEST_FILE_RESULTS"] ?? "", `${JSON.stringify(result)}\n`);
  }
}

/** Whether this run finds out which tests cover which mutants. */
const covers = process.env["__STRYKER_ACTIVE_MUTANT__"] === undefined;

const projects = (main.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== "object" || !("test" in project)) return [];
  const { name, setupFiles = [] } = project.test ?? {};
  if (name !== "unit" && name !== "service") return [];
  const setup = ["test/mutation/note-hits.ts", setupFiles].flat();
  // A process per test file, so that what runs when a module loads counts for each file that loads it.
  return [{ ...project, test: { ...project.test, setupFiles: setup, isolate: covers } }];
});

export default defineConfig({
  ...main,
  test: { ...main.test, maxWorkers: 1, reporters: [new LinePerTestFile()], projects },
});
