import type { IndexChange } from "#shared/search/catalog-writer.ts";
import type { IndexEntry } from "#shared/search/segment.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { Materials, Products, Sofas, Stocks } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import type { StaffChange } from "#shared/queues/queue-messages.ts";
import { materialEntry, productEntry, sofaEntry, stockEntry } from "./staff-entries.ts";

/** Returns the index changes that changes of records require, drafts included. */
export async function indexChanges(
  changes: readonly StaffChange[],
  { table }: { table: Table },
): Promise<IndexChange[]> {
  const idsOf = (kind: StaffChange["kind"]) =>
    changes.flatMap((change) => (change.kind === kind && "id" in change ? [change.id] : []));
  const changed = {
    products: new Set(idsOf("product")),
    sofas: new Set(idsOf("sofa")),
    materials: new Set(idsOf("material")),
  };
  const skus = new Set(changes.flatMap((change) => (change.kind === "stock" ? change.sku : [])));

  const { stock: changedStock, ...records } = await table.getMany({
    products: [...changed.products].map((id) => at(Products, { id })),
    sofas: [...changed.sofas].map((id) => at(Sofas, { id })),
    materials: [...changed.materials].map((id) => at(Materials, { id })),
    stock: [...skus].map((sku) => at(Stocks, { sku })),
  });
  const products = byName(records.products, ({ id }) => id);
  const sofas = byName(records.sofas, ({ id }) => id);
  const materials = byName(records.materials, ({ id }) => id);
  // The inventory shows names, so a renamed product changes its SKUs' rows.
  const named = [
    ...[...products.values()].flatMap(({ variants }) => variants.map(({ sku }) => sku)),
    ...[...materials.values()].flatMap(({ swatch }) => swatch.sku ?? []),
  ].filter((sku) => !skus.has(sku));
  const stock = [...changedStock, ...(await stockOf(named, table))].filter(
    (row) => row !== undefined,
  );
  const owners = await ownersOf(stock, changed, table);

  const entries: IndexEntry[] = [
    ...[...products.values()].map(productEntry),
    ...[...sofas.values()].map(sofaEntry),
    ...[...materials.values()].map(materialEntry),
    ...stock.flatMap((row) => {
      const { id } = row.owner;
      const product = products.get(id) ?? owners.products.get(id);
      return stockEntry(row, product, materials.get(id) ?? owners.materials.get(id)) ?? [];
    }),
  ];
  const present = new Set(entries.map(({ card }) => card.id));
  const ids = [...changed.products, ...changed.sofas, ...changed.materials, ...skus];
  return [
    ...ids.flatMap((id): IndexChange[] => (present.has(id) ? [] : [{ type: "remove", id }])),
    ...entries.map((entry): IndexChange => ({ type: "upsert", entry })),
  ];
}

async function stockOf(skus: readonly string[], table: Table) {
  if (skus.length === 0) return [];
  const { stock } = await table.getMany({ stock: skus.map((sku) => at(Stocks, { sku })) });
  return stock;
}

/** Reads the products and materials that own the SKUs, except those that were read as changed records. */
async function ownersOf(
  stock: readonly Stock[],
  known: { products: ReadonlySet<string>; materials: ReadonlySet<string> },
  table: Table,
) {
  const missing = (kind: Stock["owner"]["kind"], read: ReadonlySet<string>) =>
    new Set(
      stock.flatMap(({ owner }) => (owner.kind === kind && !read.has(owner.id) ? owner.id : [])),
    );
  const products = [...missing("product", known.products)];
  const materials = [...missing("swatch", known.materials)];
  if (products.length + materials.length === 0) {
    return { products: new Map(), materials: new Map() };
  }
  const found = await table.getMany({
    products: products.map((id) => at(Products, { id })),
    materials: materials.map((id) => at(Materials, { id })),
  });
  return {
    products: byName(found.products, ({ id }) => id),
    materials: byName(found.materials, ({ id }) => id),
  };
}
