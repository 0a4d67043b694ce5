import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { CatalogChanges } from "#shared/queues/queue-messages.ts";
import { maintainIndex } from "#shared/application/listing/maintain-index.ts";
import { workThrough } from "../work-through.ts";
import { catalogWork } from "../../../shared/application/listing/catalog-work.ts";
import type { Deps } from "./deps.ts";

/** Updates the catalog index from the published records. Safe to repeat. */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const work = catalogWork(deps);
  return workThrough(Records, CatalogChanges, (changes) => maintainIndex(changes, work), deps.log);
}
