import type { SQSEvent } from "aws-lambda";
import { catalogWork } from "#shared/application/listing/catalog-work.ts";
import { maintainIndex } from "#shared/application/listing/maintain-index.ts";
import { staffWork } from "#shared/application/listing/staff-work.ts";
import type { Shop } from "#shared/application/shop.ts";
import { CatalogChanges, StaffChanges } from "#shared/queues/queue-messages.ts";
import { openIndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import { workThrough } from "./work-through.ts";

/** Updates the catalog index from the published records. Safe to repeat. */
export function onChangeCatalogIndex(
  { Records }: SQSEvent,
  { table, catalogIndexWriter, log }: Shop<"table" | "log" | "catalogIndexWriter">,
) {
  const work = catalogWork({ ...catalogIndexWriter, published: openIndexedCatalog(table) });
  return workThrough(Records, CatalogChanges, (changes) => maintainIndex(changes, work), log);
}

/** Updates the staff index from the stored records, drafts included. Safe to repeat. */
export function onChangeStaffIndex(
  { Records }: SQSEvent,
  { table, staffIndexWriter, log }: Shop<"table" | "log" | "staffIndexWriter">,
) {
  const work = staffWork({ ...staffIndexWriter, table });
  return workThrough(Records, StaffChanges, (changes) => maintainIndex(changes, work), log);
}
