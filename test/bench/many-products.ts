import { demoCatalog } from "#infra/local/demo/catalog.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import { PublishedProducts, Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";

/** The CPU time and the duration of some work, in seconds. */
export async function timed(work: () => Promise<void>): Promise<{ cpu: number; seconds: number }> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, seconds: (performance.now() - begun) / 1000 };
}

/** Stores this many published products like those of the demo shop, as drafts and published copies. */
export async function plantProducts(table: Table, size: number): Promise<void> {
  const now = new Date("2026-01-01T00:00:00Z");
  const { products, categories, stock } = await demoCatalog(now);
  await table.transact(putCategories(categories, 0));
  const byProduct = Map.groupBy(stock, ({ owner }) => owner.id);
  for (let at = 0; at < size; at += 25) {
    const writes = Array.from({ length: Math.min(25, size - at) }, (_, offset) => {
      const product = products[(at + offset) % products.length]!;
      const mark = `-${at + offset}`;
      const variants = product.variants.map((one) => ({
        ...one,
        id: `${one.id}${mark}`,
        sku: `${one.sku}${mark}`,
      }));
      const id = `prd_${String(at + offset).padStart(26, "0")}`;
      const own = { ...product, id, slug: `${product.slug}${mark}`, variants };
      const published = publishProduct(own, categories, now);
      if (!published.ok) throw new Error(JSON.stringify(published.problems));
      const rows = (byProduct.get(product.id) ?? []).map((row) => ({
        ...row,
        id: `${row.id}${mark}`,
        owner: { ...row.owner, id, slug: own.slug },
      }));
      return [
        put(Products, own),
        put(PublishedProducts, published.published),
        ...rows.map((row) => put(Stocks, row)),
      ];
    });
    await table.writeMany(writes.flat());
  }
}
