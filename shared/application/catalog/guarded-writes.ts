import { type AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused, type Write } from "#shared/storage/writes.ts";

/** A write of a transaction, with the error to throw if its condition fails. */
export interface GuardedWrite {
  readonly write: Write;
  /** Left out if the failure is a conflict: a retry may succeed. */
  readonly refusal?: AppError;
}

/** DynamoDB's limit per transaction. */
const mostWrites = 100;

/**
 * Stores all writes or none.
 *
 * @throws AppError of the first write that was refused permanently; Refused when a retry may succeed
 */
export async function transactGuarded(
  table: Pick<Table, "transact">,
  guarded: readonly GuardedWrite[],
): Promise<void> {
  if (guarded.length > mostWrites) {
    throw invalidField(
      "variants",
      "Too many variants change in one request. Split the change into two requests.",
    );
  }
  try {
    await table.transact(guarded.map(({ write }) => write));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw guarded.find(({ write, refusal }) => refusal && error.names(write))?.refusal ?? error;
  }
}
