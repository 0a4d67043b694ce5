import type { IndexChange } from "#shared/search/catalog-writer.ts";
import type { IndexEntry } from "#shared/search/segment.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { Materials, Products, Sofas, Stocks } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import type { StaffChange } from "#shared/queues/queue-messages.ts";
import { materialEntry, staffProductEntry, staffSofaEntry, stockEntry } from "./staff-entries.ts";

/** Returns the index changes that changes of records require, drafts included. */
export async function indexStaffChanges(
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
  const stockIds = new Set(idsOf("stock"));

  const { stock: changedStock, ...records } = await table.getMany({
    products: [...changed.products].map((id) => at(Products, { id })),
    sofas: [...changed.sofas].map((id) => at(Sofas, { id })),
    materials: [...changed.materials].map((id) => at(Materials, { id })),
    stock: [...stockIds].map((id) => at(Stocks, { id })),
  });
  const products = byName(records.products, ({ id }) => id);
  const sofas = byName(records.sofas, ({ id }) => id);
  const materials = byName(records.materials, ({ id }) => id);
  // The inventory shows names and SKUs, so a changed product changes its variants' rows.
  const named = [
    ...[...products.values()].flatMap(({ variants }) => variants.map(({ id }) => id)),
    ...[...materials.values()].flatMap(({ code, swatch }) => (swatch.sku === null ? [] : code)),
  ].filter((id) => !stockIds.has(id));
  const stock = [...changedStock, ...(await stockOf(named, table))].filter(
    (row) => row !== undefined,
  );
  const owners = await ownersOf(stock, changed, table);

  const entries: IndexEntry[] = [
    ...[...products.values()].map(staffProductEntry),
    ...[...sofas.values()].map(staffSofaEntry),
    ...[...materials.values()].map(materialEntry),
    ...stock.flatMap((row) => {
      const { id } = row.owner;
      const product = products.get(id) ?? owners.products.get(id);
      return stockEntry(row, product, materials.get(id) ?? owners.materials.get(id)) ?? [];
    }),
  ];
  const present = new Set(entries.map(({ card }) => card.id));
  const ids = [...changed.products, ...changed.sofas, ...changed.materials, ...stockIds];
  return [
    ...ids.flatMap((id): IndexChange[] => (present.has(id) ? [] : [{ type: "remove", id }])),
    ...entries.map((entry): IndexChange => ({ type: "upsert", entry })),
  ];
}

async function stockOf(ids: readonly string[], table: Table) {
  if (ids.length === 0) return [];
  const { stock } = await table.getMany({ stock: ids.map((id) => at(Stocks, { id })) });
  return stock;
}

/** Reads the products and materials that own the stock, except those that were read as changed records. */
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
