import { type PriceWatch, followedPrices, steadyAt } from "#shared/domain/marketing/price-drop.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { PriceWatches, isAwaited, putPrices } from "#shared/storage/marketing/product-alerts.ts";
import { is } from "#shared/storage/conditions.ts";
import { at } from "#shared/storage/reads.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";
import { check } from "#shared/storage/writes.ts";

/** A published product and its prices, both as of the same version. */
export interface FollowedProduct {
  readonly product: Product;
  readonly watch: PriceWatch;
}

/** A product and the prices that were stored for it before; undefined where there is none. */
interface Read {
  readonly product: Product | undefined;
  readonly before: PriceWatch | undefined;
}

async function readAll(table: Table, ids: readonly string[]): Promise<Read[]> {
  const { products, watches } = await table.getMany({
    products: ids.map((id) => at(Products, { id })),
    watches: ids.map((id) => at(PriceWatches, { product_id: id })),
  });
  return ids.map((_id, position) => ({
    product: products[position],
    before: watches[position],
  }));
}

/**
 * Stores the prices of products and since when they have been valid, and schedules the checks that announce price
 * drops. May be called repeatedly.
 *
 * @param ids distinct
 * @returns the products in the order of `ids`; undefined for one that is not published
 */
export async function followPrices(
  table: Table,
  ids: readonly string[],
): Promise<(FollowedProduct | undefined)[]> {
  const followed: (FollowedProduct | undefined)[] = [];
  for (const [position, first] of (await readAll(table, ids)).entries()) {
    const id = ids[position]!;
    const read = async () => (await readAll(table, [id]))[0]!;
    followed.push(await retryOnConflict(first, read, (current) => follow(table, current)));
  }
  return followed;
}

async function follow(table: Table, { product, before }: Read) {
  if (product?.status !== "published") return undefined;
  const watch = followedPrices(before, product);
  if (watch === before) return { product, watch };
  const { id, version } = product;
  const task = { task: "price_drop", about: id, at: steadyAt(watch) } as const;
  // If nobody waits for a price drop now, no check is needed: an alert that is requested later schedules its own.
  const isDue = await isAwaited(table, id, "price_drop");
  await table.transact([
    // Otherwise the prices of a product that is archived meanwhile would be stored after they were deleted.
    check(Products, { id }, is("version", version)),
    putPrices(watch, before),
    ...(isDue ? [scheduleTask(task)] : []),
  ]);
  return { product, watch };
}
