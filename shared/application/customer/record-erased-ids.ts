import type { ObjectStore } from "#shared/files/object-store.ts";
import { settleErasedId } from "#shared/storage/customer/erased-ids.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Adds the ids of erased customers to the ledger, a bucket with one empty object per id. May be repeated: the id is the
 * object's key.
 */
export async function recordErasedIds(
  changes: readonly { readonly id: string }[],
  { ledger, table }: { readonly ledger: Pick<ObjectStore, "put">; readonly table: Table },
): Promise<void> {
  for (const { id } of changes) {
    await ledger.put(id, new Uint8Array(), "text/plain");
    await table.write(settleErasedId(id));
  }
}
