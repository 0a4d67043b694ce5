import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as z from "zod";
import { Id } from "#shared/domain/base/ids.ts";
import { settleErasedId } from "#shared/storage/customer/erased-ids.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";

/** Queue message with ids of erased customers, to be added to the ledger of erased customers outside the table. */
export const ErasedIdChanges = z.object({ changes: z.array(z.object({ id: Id("cus") })).min(1) });
export type ErasedIdChanges = z.output<typeof ErasedIdChanges>;

/**
 * Adds the ids of erased customers to the ledger, a bucket with one empty object per id. Safe to repeat: the id is the
 * object's key.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workThrough(Records, ErasedIdChanges, (changes) => record(changes, deps), deps.log);
}

async function record(changes: readonly { id: string }[], { ledger, table }: Deps): Promise<void> {
  for (const { id } of changes) {
    await ledger.put(id, new Uint8Array(), "text/plain");
    await table.write(settleErasedId(id));
  }
}
