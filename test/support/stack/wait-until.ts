import { setTimeout as pause } from "node:timers/promises";
import { type Effect, awaits, isWithheld } from "./effects.ts";
import { outliveMemories } from "./memory-clock.ts";
import { expectNoFindings } from "./guards.ts";

/** Time limit of a wait: longer than any successful wait takes, even on a busy machine. */
const longestWaitMs = 480_000;
/**
 * The pause between attempts grows to this many milliseconds, so that a long wait does not slow down the work that it
 * waits for.
 */
const longestInterval = 500;

/**
 * Waits until a claim holds, for claims that hold only when functions' memories expire after two seconds: each attempt
 * sees them expired.
 */
export const soon = <Result>(claim: () => Promise<Result>): Promise<Result> => waitUntil(claim);

/**
 * Waits for the work of a consumer or schedule: retries until nothing is thrown.
 *
 * @param effect declared by the test file
 * @throws the last error
 */
export function waitFor<Result>(
  effect: Effect,
  attempt: () => Result | Promise<Result>,
  options: { interval?: number } = {},
): Promise<Result> {
  awaits(effect);
  return waitUntil(attempt, isWithheld(effect) ? { ...options, limitMs: 0 } : options);
}

/**
 * Retries until nothing is thrown. It does not depend on vitest, so that benchmarks can use it as well.
 *
 * @param interval milliseconds between the first two attempts
 * @throws the last error, or at once what a guard has found, such as a call beyond the permissions of a function
 */
export async function waitUntil<Result>(
  attempt: () => Result | Promise<Result>,
  { interval = 20, limitMs = longestWaitMs } = {},
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  for (let wait = interval; ; wait = Math.min(1.2 * wait, longestInterval)) {
    try {
      return await attempt();
    } catch (error) {
      // What is waited for may never come after a refused call, such as that of a consumer.
      expectNoFindings();
      if (performance.now() > deadline) throw error;
      await pause(wait);
      outliveMemories();
    }
  }
}

/**
 * Waits until a cart shows a change of the catalog, which may take two seconds.
 *
 * @param expectation reads the cart, and throws while it does not show the change
 */
export const whenShown = (expectation: () => Promise<unknown>): Promise<unknown> =>
  waitUntil(expectation);
