import { idsOf } from "#shared/search/cards.ts";
import { type LoadedCatalog, loadCatalog } from "#shared/search/load-catalog.ts";
import type { IndexSource } from "#shared/domain/listing/index-pointer.ts";
import { type CatalogRecord, exportRow } from "#shared/domain/export/exported-records.ts";
import { adminProduct } from "#shared/domain/catalog/product.ts";
import {
  CategoryTree,
  Materials,
  Products,
  Sofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { type Read, at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ReadPortion, inOnePortion, byNames, inSequence } from "./portions.ts";

const recordsAtOnce = 100;

const row = (record: CatalogRecord, data: object) => exportRow("catalog", record, data);

/**
 * The whole catalog, including drafts and archived records. The staff index lists the records; their content is read
 * from the table. Stock levels are left out.
 */
export function catalogRows(table: Table, staffIndex: IndexSource): ReadPortion {
  let loaded: Promise<LoadedCatalog> | undefined;
  const named = (kind: string) => async () => {
    const { catalog } = await (loaded ??= loadCatalog(staffIndex));
    return idsOf(catalog.index, kind);
  };
  const stored = async <Record>(reads: readonly Read<Record>[]) => {
    const { found } = await table.getMany({ found: reads });
    return found.filter((record) => record !== undefined);
  };

  return inSequence([
    inOnePortion(async () => {
      const tree = await table.get(CategoryTree, {});
      return (tree?.categories ?? []).map((category) => row("category", category));
    }),
    byNames(
      named("material"),
      async (ids) =>
        (await stored(ids.map((id) => at(Materials, { id })))).map((material) =>
          row("material", material),
        ),
      recordsAtOnce,
    ),
    byNames(
      named("product"),
      async (ids) => {
        const products = await stored(ids.map((id) => at(Products, { id })));
        const variants = products.flatMap((product) => product.variants);
        const levels = await stored(variants.map(({ id }) => at(Stocks, { id })));
        const terms = byName(levels, ({ id }) => id);
        return products.map((product) => row("product", adminProduct(product, terms)));
      },
      recordsAtOnce,
    ),
    byNames(
      named("sofa"),
      async (ids) =>
        (await stored(ids.map((id) => at(Sofas, { id })))).map((sofa) => row("sofa", sofa)),
      recordsAtOnce,
    ),
  ]);
}
