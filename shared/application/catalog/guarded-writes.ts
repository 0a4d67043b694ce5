import { type AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused, type Write } from "#shared/storage/writes.ts";

/** A write of a transaction with what its caller is told when its condition does not hold. */
export interface GuardedWrite {
  readonly write: Write;
  /** Left out: what was read no longer holds, and another try may succeed. */
  readonly refusal?: AppError;
}

/** DynamoDB's limit of a transaction. */
const mostWrites = 100;

/**
 * All or none.
 *
 * @throws AppError of the first write that was refused for good; Refused when another try may succeed
 */
export async function transactGuarded(
  table: Pick<Table, "transact">,
  guarded: readonly GuardedWrite[],
): Promise<void> {
  if (guarded.length > mostWrites) {
    throw invalidField("variants", "Too many variants change at once. Change them in two steps.");
  }
  try {
    await table.transact(guarded.map(({ write }) => write));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw guarded.find(({ write, refusal }) => refusal && error.names(write))?.refusal ?? error;
  }
}
