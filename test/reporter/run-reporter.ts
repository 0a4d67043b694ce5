import { relative } from "node:path";
import {
  DefaultReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSuite,
} from "vitest/node";
import { noteRun } from "#test/changed/called-record.ts";
import { type Failure, failureList } from "./failures.ts";

type Failed = TestModule | TestSuite | TestCase;

/**
 * Vitest's reporter, which also names each skipped test that has a reason, and ends with a list of the failures. Without
 * a terminal it prints one line a file.
 */
export class RunReporter extends DefaultReporter {
  protected override printTestCase(...parts: Parameters<DefaultReporter["printTestCase"]>): void {
    if (this.isTTY) super.printTestCase(...parts);
  }

  protected override printTestSuite(suite: TestSuite): void {
    if (this.isTTY) super.printTestSuite(suite);
  }

  override async onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    super.onTestRunEnd(modules, unhandled, reason);
    for (const module of modules) this.#printSkipped(module);
    const failures = [
      ...modules.flatMap((module) => failuresOf(module, module)),
      ...unhandled.map((error) => failureOf(error, "An error outside any test")),
    ];
    if (failures.length > 0) this.error(failureList(failures));
    if (reason !== "interrupted") await this.#noteCalls(modules);
  }

  async #noteCalls(modules: readonly TestModule[]): Promise<void> {
    const every = await this.ctx.globTestSpecifications();
    const wholeFiles = this.ctx.config.testNamePattern === undefined;
    noteRun({
      wholeFiles,
      isWhole: wholeFiles && modules.length === every.length,
      files: modules.map((module) => ({
        path: module.relativeModuleId,
        passed: module.ok(),
        functions: module.meta().functions,
      })),
    });
  }

  #printSkipped(module: TestModule): void {
    for (const test of module.children.allTests("skipped")) {
      const result = test.result();
      const reason = result.state === "skipped" ? result.note : undefined;
      if (reason) this.log(`Skipped: ${module.relativeModuleId} > ${test.fullName}: ${reason}`);
    }
  }
}

/** The failures of a file, a `describe` or a test, and of those in it. */
function failuresOf(failed: Failed, module: TestModule): Failure[] {
  const errors = failed.type === "test" ? (failed.result().errors ?? []) : failed.errors();
  const title = failed.type === "module" ? "" : failed.fullName;
  const own: Failure[] =
    errors.length === 0
      ? []
      : [
          {
            file: module.relativeModuleId,
            line: lineOf(errors, module) ?? failed.location?.line,
            title,
            messages: errors.map(({ message }) => message),
            exchange: failed.meta().exchange,
          },
        ];
  const children = failed.type === "test" ? [] : [...failed.children];
  return [...own, ...children.flatMap((child) => failuresOf(child, module))];
}

const lineOf = (errors: readonly SerializedError[], { moduleId }: TestModule): number | undefined =>
  errors.flatMap(({ stacks = [] }) => stacks).find(({ file }) => file === moduleId)?.line;

function failureOf({ stacks = [], message }: SerializedError, title: string): Failure {
  const [first] = stacks;
  return {
    file: first ? relative(process.cwd(), first.file) : "",
    line: first?.line,
    title,
    messages: [message],
  };
}
