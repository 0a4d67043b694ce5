import type { Pause } from "../runtime/pause.ts";
import { cancellationOf, isTransactionConflict } from "./dynamodb.ts";
import { backOff } from "./retry-deadline.ts";

const passingReasons = new Set([
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/** Whether a retry may resolve this cancellation reason. */
export const isPassingReason = (code: string): boolean => passingReasons.has(code);

/**
 * Whether a write conflicted with a transaction on the same item. For a single write the SDK throws a separate
 * exception.
 */
function isConflict(error: unknown): boolean {
  return (
    isTransactionConflict(error) ||
    (cancellationOf(error)?.some(({ Code = "" }) => isPassingReason(Code)) ?? false)
  );
}

/**
 * Retries on conflict with full jitter.
 *
 * @param maxConflicts after which the last conflict is thrown
 * @throws Unavailable when it still conflicts at the deadline
 */
export async function untilNoConflict<Result>(
  attemptOnce: () => Promise<Result>,
  pause: Pause,
  maxConflicts = Infinity,
): Promise<Result> {
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!isConflict(error) || attempt >= maxConflicts) throw error;
      await backOff(attempt, { startedAt, pause }, "writes kept conflicting", error);
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
  const startedAt = Date.now();
  let pending = [...parts];
  for (let attempt = 0; pending.length > 0; attempt++) {
    if (attempt > 0) await backOff(attempt, { startedAt, pause }, `${what} stayed unprocessed`);
    pending = (await send(pending)) ?? [];
  }
}
