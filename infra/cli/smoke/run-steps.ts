import { type Deployment, Skipped } from "./deployment.ts";

/** A part of the shop to try. `run` returns what it has seen, in a few words. */
export interface SmokeStep<State> {
  readonly name: string;
  run(deployment: Deployment, state: State): Promise<string>;
}

/**
 * Runs the steps in order, and prints a line for each. After a failed step, the next steps still run. Those that need
 * its result throw Skipped.
 *
 * @returns true if every step succeeded or was skipped
 */
export async function runSteps<State>(
  steps: readonly SmokeStep<State>[],
  { deployment, state }: { deployment: Deployment; state: State },
  print: (line: string) => void,
): Promise<boolean> {
  let passed = true;
  for (const { name, run } of steps) {
    try {
      print(`${name}: ok, ${await run(deployment, state)}`);
    } catch (problem) {
      if (problem instanceof Skipped) {
        print(`${name}: skipped: ${problem.message}`);
        continue;
      }
      passed = false;
      print(
        `${name}: FAILED: ${reasonOf(problem)} (request id ${deployment.requestId() ?? "none"})`,
      );
    }
  }
  return passed;
}

/** Returns the message to print. If a connection was refused, only the error's cause names the address. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { cause, message } = problem;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}
