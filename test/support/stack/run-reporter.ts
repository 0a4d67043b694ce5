import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Names each skipped test that has a reason, which vitest's own reporter does not. */
export class RunReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const reason = result.state === "skipped" ? result.note : undefined;
        if (reason)
          this.#vitest?.logger.log(
            `Skipped: ${module.relativeModuleId} > ${test.fullName}: ${reason}`,
          );
      }
    }
  }
}
