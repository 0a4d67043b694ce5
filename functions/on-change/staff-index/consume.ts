import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { maintainIndex } from "#shared/application/listing/maintain-index.ts";
import { StaffChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";
import { staffWork } from "#shared/application/listing/staff-work.ts";

/** Updates the staff index from the stored records, drafts included. Safe to repeat. */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "staffIndexWriter">,
): Promise<SQSBatchResponse> {
  const work = staffWork({ ...shop.staffIndexWriter, table: shop.table });
  return workThrough(Records, StaffChanges, (changes) => maintainIndex(changes, work), shop.log);
}
