import { setTimeout as pause } from "node:timers/promises";

/** Time limit of a wait, longer than anything that works takes on a busy machine. */
const limitMs = 120_000;

/**
 * Retries until nothing is thrown. Tests wait only with this; benchmarks, which run without vitest, too.
 *
 * @param interval milliseconds between attempts
 * @throws the last error
 */
export async function waitUntil<Result>(
  attempt: () => Result | Promise<Result>,
  { interval = 20 } = {},
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(interval);
    }
  }
}
