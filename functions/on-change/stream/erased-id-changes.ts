import { ErasedIds } from "#shared/storage/customer/erased-ids.ts";
import { type ItemChange, imageOf } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { ErasedIdChanges } from "../erased-id-change.ts";

/** Returns the id of a customer who has just been erased; undefined for other changes. */
export function erasedIdChange({ before, after }: ItemChange): { id: string } | undefined {
  if (before !== undefined || after?.["entity"] !== ErasedIds.name) return undefined;
  const row = imageOf(ErasedIds, after);
  return row && { id: row.id };
}

/** The ids of a batch, in one message. */
export function erasedIdMessages(changes: readonly { id: string }[]): ErasedIdChanges[] {
  return changes.length > 0 ? [{ changes: distinct(changes) }] : [];
}
