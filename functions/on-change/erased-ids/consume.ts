import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { settleErasedId } from "#shared/storage/customer/erased-ids.ts";
import { ErasedIdChanges } from "../erased-id-change.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";

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
