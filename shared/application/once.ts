import { AppError } from "../domain/request/app-error.ts";
import { type IdempotencyRecord, boundBy } from "../storage/idempotency.ts";
import { retryOnConflict } from "../storage/retry-on-conflict.ts";

/** A request whose effect happens once, however often it is sent. */
export interface OnceRequest<Read, Earlier, Result> {
  /** The data that was read before the first attempt. */
  readonly first: Read;
  /** Reads the data again after a conflict. */
  readAgain(): Promise<Read>;
  /** The effect of an earlier identical request; undefined if there was none. */
  earlier(read: Read): Earlier | undefined;
  /** Stores the effect in one transaction with a record of the request. Throws Refused on a conflict. */
  make(read: Read): Promise<Result>;
  /** The result for a repeated request. */
  replay(earlier: Earlier): Promise<Result>;
  /**
   * Whether the error may mean that a concurrent identical request has succeeded. The slower of two such requests finds
   * the slug taken or the version changed by the faster one. Default: `already_exists` and `version_mismatch`.
   */
  mayMeanDone?(error: AppError): boolean;
}

/** Runs a request once. Repeated and concurrent identical requests get the result that `replay` returns. */
export async function once<Read, Earlier, Result>(
  request: OnceRequest<Read, Earlier, Result>,
): Promise<Result> {
  const { first, readAgain, earlier, make, replay, mayMeanDone = isTaken } = request;
  return retryOnConflict(first, readAgain, async (read) => {
    const before = earlier(read);
    if (before !== undefined) return replay(before);
    try {
      return await make(read);
    } catch (error) {
      if (!(error instanceof AppError) || !mayMeanDone(error)) throw error;
      const existing = earlier(await readAgain());
      if (existing === undefined) throw error;
      return replay(existing);
    }
  });
}

const isTaken = ({ code }: AppError): boolean =>
  code === "already_exists" || code === "version_mismatch";

/**
 * The earlier use of the caller's idempotency key.
 *
 * @throws AppError `idempotency_key_reused` if the earlier request had another body
 */
export function earlierUse(
  record: IdempotencyRecord | undefined,
  { bodyHash, now }: { readonly bodyHash: string; readonly now: Date },
): IdempotencyRecord | undefined {
  const bound = boundBy(record, now);
  if (bound && bound.body_hash !== bodyHash) throw new AppError("idempotency_key_reused");
  return bound;
}
