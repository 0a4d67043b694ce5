import { setTimeout as pause } from "node:timers/promises";

/**
 * Tries again until nothing is thrown, as `vi.waitFor` does; for what benches use, too, where vitest does not run.
 *
 * @throws what the last try did
 */
export async function waitUntil<Result>(
  attempt: () => Promise<Result>,
  { timeout = 15_000, interval = 20 } = {},
): Promise<Result> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(interval);
    }
  }
}
