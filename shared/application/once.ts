import { AppError } from "../domain/request/app-error.ts";
import { type IdempotencyRecord, boundBy } from "../storage/idempotency.ts";
import { retryOnConflict } from "../storage/retry-on-conflict.ts";

/** A request that has its effect once, however often it is sent. */
export interface OnceRequest<Read, Earlier, Result> {
  /** What the first attempt starts from. */
  readonly first: Read;
  /** Reads again after a conflict. */
  readAgain(): Promise<Read>;
  /** The effect of an earlier identical request; undefined if there was none. */
  earlier(read: Read): Earlier | undefined;
  /** Has the effect, and stores it in the same transaction as the proof that it happened. Throws Refused on a conflict. */
  make(read: Read): Promise<Result>;
  /** The result for a repeated request. */
  replay(earlier: Earlier): Promise<Result>;
  /**
   * Whether a concurrent identical request may have caused the error: of two, the slower one finds the slug or
   * version that the faster one stored. Default: `already_exists` and `version_mismatch`.
   */
  mayComeFromTwin?(error: AppError): boolean;
}

/** Runs a request once, and replays it for repeated and concurrent identical requests. */
export async function once<Read, Earlier, Result>(
  request: OnceRequest<Read, Earlier, Result>,
): Promise<Result> {
  const { first, readAgain, earlier, make, replay, mayComeFromTwin = isTaken } = request;
  return retryOnConflict(first, readAgain, async (read) => {
    const before = earlier(read);
    if (before !== undefined) return replay(before);
    try {
      return await make(read);
    } catch (error) {
      if (!(error instanceof AppError) || !mayComeFromTwin(error)) throw error;
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
