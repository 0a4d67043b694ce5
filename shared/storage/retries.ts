import { deadlineAt } from "../runtime/deadline.ts";
import type { Pause } from "../runtime/pause.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { cancellationOf, isTransactionConflict } from "./dynamodb.ts";

/** How long a write or read is tried again, in ms; within a request no longer than that has. */
const deadlineMs = 8_000;
const firstPauseMs = 15;
const longestPauseMs = 400;

/** Cancellation reasons that a later try may not meet. */
const passingReasons = new Set([
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/** Whether a write met a transaction on the same item; a single write is told so by an exception of its own. */
function isConflict(error: unknown): boolean {
  return (
    isTransactionConflict(error) ||
    (cancellationOf(error)?.some(({ Code = "" }) => passingReasons.has(Code)) ?? false)
  );
}

/** Tries again with full jitter while others are at the same items, until the deadline. */
export async function untilNoConflict<Result>(
  attemptOnce: () => Promise<Result>,
  pause: Pause,
): Promise<Result> {
  const deadline = Math.min(Date.now() + deadlineMs, deadlineAt());
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!isConflict(error)) throw error;
      await backOff(attempt, deadline, "writes kept conflicting", pause, error);
    }
  }
}

/**
 * Sends parts of a batch until DynamoDB has left none of them undone.
 *
 * @param send gives back what was left undone
 */
export async function untilAllProcessed<Part>(
  parts: readonly Part[],
  what: "reads" | "writes",
  send: (parts: Part[]) => Promise<Part[] | undefined>,
  pause: Pause,
): Promise<void> {
  const deadline = Math.min(Date.now() + deadlineMs, deadlineAt());
  let pending = [...parts];
  for (let attempt = 0; pending.length > 0; attempt++) {
    if (attempt > 0) await backOff(attempt, deadline, `${what} stayed unprocessed`, pause);
    pending = (await send(pending)) ?? [];
  }
}

/** Full jitter: waits a random share of a doubling bound. Throws Unavailable once the deadline has passed. */
async function backOff(
  attempt: number,
  deadline: number,
  reason: string,
  pause: Pause,
  cause?: unknown,
): Promise<void> {
  if (Date.now() >= deadline) throw new Unavailable(`Storage is contended: ${reason}`, { cause });
  await pause(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));
}
