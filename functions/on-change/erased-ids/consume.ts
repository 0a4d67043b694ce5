import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { recordErasedIds } from "#shared/application/customer/record-erased-ids.ts";
import { ErasedIdChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";

/** Adds the ids of erased customers to the ledger of erased customers outside the table. Safe to repeat. */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "erasedIdLedger" | "log">,
): Promise<SQSBatchResponse> {
  return workThrough(
    Records,
    ErasedIdChanges,
    (changes) => recordErasedIds(changes, shop),
    shop.log,
  );
}
