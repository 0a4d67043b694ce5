import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

const waiting = "ERASEDWAITING";

/**
 * The id of an erased customer, written with the erasure and waiting for the ledger of erased ids. The ledger is
 * outside the table, so that the customers can be erased again after the table is restored from a backup. The row is
 * deleted once the ledger has the id.
 */
export const ErasedIds = entity({
  name: "erased_id",
  notExported: "transient",
  schema: z.object({ id: z.string(), at: Timestamp }),
  key: ({ id }: { id: string }) => ({ pk: `OUTBOX#erased#${id}`, sk: "ERASED" }),
  indexes: { gsi1: ({ at, id }) => ({ pk: waiting, sk: `${at}#${id}` }) },
});

/** Stores the id of an erased customer. Include the write in the transaction that erases the customer. */
export const publishErasedId = (id: string, now: Date): Write =>
  put(ErasedIds, { id, at: now.toISOString() });

/** Deletes the row of an id after the ledger has stored it. */
export const settleErasedId = (id: string): Write => remove(ErasedIds, { id });

/** How long an id may wait for the ledger before it is enqueued again: longer than it takes in normal operation. */
const sweptAfterMs = 15 * 60_000;

/** The oldest ids that have waited too long. */
export async function erasedIdsToSweep(table: Table, now: Date): Promise<{ id: string }[]> {
  const until = new Date(now.getTime() - sweptAfterMs).toISOString();
  const { records } = await table.page(
    ErasedIds,
    { index: "gsi1", partition: waiting, between: ["0", until] },
    { limit: 100 },
  );
  return records.map(({ id }) => ({ id }));
}
