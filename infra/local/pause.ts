import { setTimeout as delay } from "node:timers/promises";

/** Waits, or ends early when the signal says so. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Longer with every failed attempt, starting at 50 ms, at most 2 s. */
export function backoff(attempt: number): number {
  return Math.min(2000, 25 * 2 ** attempt);
}
