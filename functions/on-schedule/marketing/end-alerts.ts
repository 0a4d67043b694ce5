import { AlertKind, endedAlert, isDiscontinued } from "#shared/domain/marketing/product-alert.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { PriceWatches, putAlert } from "#shared/storage/marketing/product-alerts.ts";
import { remove } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { waitingFor } from "./reachable.ts";

/**
 * If a product is archived or deleted, ends all its alerts and deletes its stored prices. May be called repeatedly.
 */
export async function endAlertsIfDiscontinued(id: string, deps: Deps): Promise<void> {
  const { table, now } = deps;
  if (!isDiscontinued(await table.get(Products, { id }))) return;
  for (const kind of AlertKind.options) {
    for await (const waiting of waitingFor({ product_id: id, kind }, deps)) {
      const writes = waiting.flatMap((before) => putAlert(endedAlert(before, now()), before));
      if (writes.length > 0) await table.transact(writes);
    }
  }
  await table.write(remove(PriceWatches, { product_id: id }));
}
