import { setTimeout as pause } from "node:timers/promises";

/** Ends a wait for what never comes; nothing that works takes as long, however busy the machine is. */
const limitMs = 120_000;

/**
 * Tries again until nothing is thrown. Tests wait with this alone, and benches, where vitest does not run.
 *
 * @param interval milliseconds between tries
 * @throws what the last try did
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
