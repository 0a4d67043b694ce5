import { deadlineAt } from "../runtime/deadline.ts";
import { randomPauseAfter } from "../runtime/back-off.ts";
import type { Pause } from "../runtime/pause.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { cancellationOf, isTransactionConflict } from "./dynamodb.ts";

/** How long a read or write is retried, in ms. A request's deadline may shorten it. */
const deadlineMs = 8_000;
const pausesMs = { first: 30, longest: 400 };

/** Cancellation reasons that a retry may resolve. */
const passingReasons = new Set([
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/**
 * Whether a write conflicted with a transaction on the same item. For a single write the SDK throws a separate
 * exception.
 */
function isConflict(error: unknown): boolean {
  return (
    isTransactionConflict(error) ||
    (cancellationOf(error)?.some(({ Code = "" }) => passingReasons.has(Code)) ?? false)
  );
}

/** Retries on conflict with full jitter, until the deadline. */
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
      await backOff(attempt, { deadline, pause }, "writes kept conflicting", error);
    }
  }
}

/**
 * Sends the parts of a batch until DynamoDB has processed all of them.
 *
 * @param send returns the unprocessed parts
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
    if (attempt > 0) await backOff(attempt, { deadline, pause }, `${what} stayed unprocessed`);
    pending = (await send(pending)) ?? [];
  }
}

/** Waits before a retry. Throws Unavailable after the deadline. */
async function backOff(
  attempt: number,
  { deadline, pause }: { deadline: number; pause: Pause },
  reason: string,
  cause?: unknown,
): Promise<void> {
  if (Date.now() >= deadline) throw new Unavailable(`Storage is contended: ${reason}`, { cause });
  await pause(randomPauseAfter(attempt, pausesMs));
}
