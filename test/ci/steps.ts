import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A command of a run. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Steps that do not depend on each other. */
export type Stage = readonly Step[];

export interface StepResult {
  readonly name: string;
  /** `skipped`: an earlier stage failed. */
  readonly outcome: "passed" | "failed" | "skipped";
  readonly seconds: number;
}

/** How many steps of a stage run at a time: each keeps about one core busy. */
const atATime = 2;

/**
 * Runs stages one after the other, and the steps of a stage concurrently. After a failed step, the others of its stage
 * still run, and later stages do not. A step that runs alone prints as it goes; what a concurrent step prints appears
 * when it has ended.
 */
export async function runStages(
  stages: readonly Stage[],
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const stage of stages) {
    if (results.some(({ outcome }) => outcome === "failed")) {
      results.push(...stage.map(({ name }) => ({ name, outcome: "skipped", seconds: 0 }) as const));
      continue;
    }
    const waiting = [...stage];
    const lanes = Array.from({ length: atATime }, async () => {
      for (let step = waiting.shift(); step; step = waiting.shift()) {
        results.push(await (stage.length === 1 ? runAlone(step, print) : runWhole(step, print)));
      }
    });
    await Promise.all(lanes);
  }
  return results;
}

const headingOf = (name: string) => `\n== ${name}\n`;

async function runAlone(step: Step, print: (text: string) => void): Promise<StepResult> {
  print(headingOf(step.name));
  return run(step, "inherit");
}

async function runWhole(step: Step, print: (text: string) => void): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), "step-"));
  const file = join(folder, "output.txt");
  // One file for both outputs keeps their order.
  const output = openSync(file, "w");
  try {
    const result = await run(step, output);
    print(headingOf(step.name) + readFileSync(file, "utf8"));
    return result;
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}

async function run(
  { name, command: [program, ...args], environment }: Step,
  output: "inherit" | number,
): Promise<StepResult> {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    stdio: ["ignore", output, output],
    env: { ...process.env, ...environment },
  });
  const code = await once(child, "exit").then(
    ([code]: (number | null)[]) => code,
    (problem: unknown) => console.error(problem),
  );
  return {
    name,
    outcome: code === 0 ? "passed" : "failed",
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

/** The steps with their seconds, in the order in which they ended, and the seconds of the whole run. */
export function summaryOf(results: readonly StepResult[], totalSeconds: number): string {
  const width = Math.max(...results.map(({ name }) => name.length), "total".length);
  const line = (name: string, seconds: number, outcome: string) =>
    `${name.padEnd(width)}  ${seconds.toFixed(0).padStart(5)} s  ${outcome}`.trimEnd();
  return [
    "",
    "== Seconds of each step; some ran concurrently",
    ...results.map(({ name, outcome, seconds }) =>
      outcome === "skipped"
        ? `${name.padEnd(width)}        -  not run`
        : line(name, seconds, outcome === "failed" ? "FAILED" : ""),
    ),
    line("total", totalSeconds, ""),
    "",
  ].join("\n");
}
