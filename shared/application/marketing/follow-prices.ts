import { type PriceWatch, followedPrices, steadyAt } from "#shared/domain/marketing/price-drop.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { PriceWatches, isAwaited, putPrices } from "#shared/storage/marketing/product-alerts.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";

/** A published product and its prices, both as of the same version. */
export interface FollowedProduct {
  readonly product: Product;
  readonly watch: PriceWatch;
}

/**
 * Stores a product's prices and since when they have been valid, and schedules the check that announces price drops.
 * May be called repeatedly.
 *
 * @returns undefined if the product is not published
 */
export async function followPrices(table: Table, id: string): Promise<FollowedProduct | undefined> {
  const read = () => table.get(PriceWatches, { product_id: id });
  return retryOnConflict(await read(), read, async (before) => {
    const product = await table.get(Products, { id });
    if (product?.status !== "published") return undefined;
    const watch = followedPrices(before, product);
    if (watch === before) return { product, watch };
    const task = { task: "price_drop", about: id, at: steadyAt(watch) } as const;
    // If nobody waits for a price drop now, no check is needed: an alert that is requested later schedules its own.
    const isDue = await isAwaited(table, id, "price_drop");
    await table.transact([putPrices(watch, before), ...(isDue ? [scheduleTask(task)] : [])]);
    return { product, watch };
  });
}
