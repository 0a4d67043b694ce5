import { randomPauseAfter } from "../runtime/back-off.ts";
import { deadlineAt } from "../runtime/deadline.ts";
import type { Pause } from "../runtime/pause.ts";
import { timeoutOf } from "../runtime/timeouts.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/** How long a read or write is retried, in ms. */
const retriedForMs = 8_000;
const pausesMs = { first: 30, longest: 400 };

/**
 * Waits before a retry. A call is retried for eight seconds or until the request's deadline, whichever is earlier.
 *
 * @param call.startedAt in ms since 1970
 * @throws Unavailable after that time
 */
export async function backOff(
  attempt: number,
  { startedAt, pause }: { startedAt: number; pause: Pause },
  reason: string,
  cause?: unknown,
): Promise<void> {
  const end = Math.min(startedAt + timeoutOf(retriedForMs), deadlineAt());
  if (Date.now() >= end) throw new Unavailable(`Gave up retrying: ${reason}`, { cause });
  await pause(randomPauseAfter(attempt, pausesMs));
}
