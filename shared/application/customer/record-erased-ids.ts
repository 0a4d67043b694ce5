import type { Shop } from "#shared/application/shop.ts";
import { settleErasedId } from "#shared/storage/customer/erased-ids.ts";

/**
 * Adds the ids of erased customers to the ledger, a bucket with one empty object per id. May be repeated: the id is the
 * object's key.
 */
export async function recordErasedIds(
  changes: readonly { readonly id: string }[],
  { erasedIdLedger, table }: Shop<"table" | "erasedIdLedger">,
): Promise<void> {
  for (const { id } of changes) {
    await erasedIdLedger.put(id, new Uint8Array(), "text/plain");
    await table.write(settleErasedId(id));
  }
}
