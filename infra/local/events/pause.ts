import { setTimeout as delay } from "node:timers/promises";

/** Waits; returns early if the signal aborts. */
export async function interruptiblePause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Exponential backoff in ms, from 50 ms to 2 s. */
export function backoff(attempt: number): number {
  return Math.min(2000, 25 * 2 ** attempt);
}
