import { formatWithOptions } from "node:util";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

interface Line {
  readonly at: number;
  readonly text: string;
}

interface Period {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const methods = ["debug", "info", "log", "warn", "error"] as const;

/**
 * Collects the output of the shared stacks, which run in vitest's own process, and prints only the lines from the
 * time of a failed test. It also names each skipped test with the reason.
 */
export class RunReporter implements Reporter {
  readonly #lines: Line[] = [];
  readonly #modules = new Map<string, Period>();
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    for (const method of methods) {
      console[method] = (...values: unknown[]) => {
        this.#lines.push({ at: Date.now(), text: formatWithOptions({ depth: 5 }, ...values) });
      };
    }
  }

  onTestModuleStart({ id, relativeModuleId: name }: TestModule): void {
    this.#modules.set(id, { name, from: Date.now(), to: Infinity });
  }

  onTestModuleEnd({ id }: TestModule): void {
    const period = this.#modules.get(id);
    if (period) this.#modules.set(id, { ...period, to: Date.now() });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) this.#printSkipped(module);
    for (const module of modules) {
      if (module.state() === "failed") this.#printLines(module);
    }
    this.#lines.length = 0;
  }

  #printSkipped(module: TestModule): void {
    for (const test of module.children.allTests("skipped")) {
      const result = test.result();
      const reason = result.state === "skipped" ? result.note : undefined;
      if (reason) this.#print(`Skipped: ${module.relativeModuleId} > ${test.fullName}: ${reason}`);
    }
  }

  /** Prints the lines from the time of the module's failed tests, or all lines if a hook or an import failed. */
  #printLines(module: TestModule): void {
    const ofTests = [...module.children.allTests("failed")].flatMap(periodOf);
    const ofModule = this.#modules.get(module.id);
    for (const period of ofTests.length > 0 || !ofModule ? ofTests : [ofModule]) {
      const lines = this.#lines.filter(({ at }) => period.from <= at && at <= period.to);
      if (lines.length === 0) continue;
      const texts = lines.map(({ text }) => text);
      this.#print([`\nThe shared stack printed during "${period.name}":`, ...texts].join("\n"));
    }
  }

  #print(text: string): void {
    this.#vitest?.logger.log(text);
  }
}

function periodOf(test: TestCase): Period[] {
  const run = test.diagnostic();
  if (!run) return [];
  return [{ name: test.fullName, from: run.startTime, to: run.startTime + run.duration }];
}
