import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { CatalogChanges } from "#shared/queues/queue-messages.ts";
import { maintainIndex } from "#shared/application/listing/maintain-index.ts";
import { openIndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import { workThrough } from "../work-through.ts";
import { catalogWork } from "#shared/application/listing/catalog-work.ts";

/** Updates the catalog index from the published records. Safe to repeat. */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "catalogIndexWriter">,
): Promise<SQSBatchResponse> {
  const work = catalogWork({
    ...shop.catalogIndexWriter,
    published: openIndexedCatalog(shop.table),
  });
  return workThrough(Records, CatalogChanges, (changes) => maintainIndex(changes, work), shop.log);
}
