import { randomPauseAfter } from "../runtime/back-off.ts";
import { deadlineAt } from "../runtime/deadline.ts";
import type { Pause } from "../runtime/pause.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/** How long a read or write is retried, in ms. */
const deadlineMs = 8_000;
const pausesMs = { first: 30, longest: 400 };

/**
 * The time until which a call that starts now is retried, in ms since 1970: after eight seconds or at the request's
 * deadline, whichever is earlier.
 */
export const retryDeadline = (): number => Math.min(Date.now() + deadlineMs, deadlineAt());

/** Waits before a retry. Throws Unavailable after the deadline. */
export async function backOff(
  attempt: number,
  { deadline, pause }: { deadline: number; pause: Pause },
  reason: string,
  cause?: unknown,
): Promise<void> {
  if (Date.now() >= deadline) throw new Unavailable(`Gave up retrying: ${reason}`, { cause });
  await pause(randomPauseAfter(attempt, pausesMs));
}
