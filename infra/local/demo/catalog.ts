import { importedRows } from "#infra/cli/import/imported-rows.ts";
import type { Category } from "#shared/domain/catalog/category.ts";
import type { Material } from "#shared/domain/catalog/material.ts";
import type { Product, AdminProduct } from "#shared/domain/catalog/product.ts";
import { Sku } from "#shared/domain/base/names.ts";
import { type SellingTerms, Stock } from "#shared/domain/catalog/stock.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import { asOf, readExport, readLevels } from "./exported.ts";
import { daysBefore } from "./identity.ts";

export interface DemoCatalog {
  categories: Category[];
  materials: Material[];
  products: Product[];
  sofas: Sofa[];
  stock: Stock[];
}

/** The catalog of the demo shop, with the ages that its records had when they were exported. */
export async function demoCatalog(now: Date): Promise<DemoCatalog> {
  const { records, exportedAt } = await readExport("catalog", importedRows.catalog);
  const current = asOf(now, exportedAt);
  const materials = records.material.map(current);
  const products = records.product.map(current);
  return {
    categories: records.category,
    materials,
    products: products.map(withoutTerms),
    sofas: records.sofa.map(current),
    stock: await stockOf(products, materials, now),
  };
}

const withoutTerms = ({ variants, ...product }: AdminProduct): Product => ({
  ...product,
  variants: variants.map(
    ({ policy: _policy, low_stock_threshold: _threshold, ...variant }) => variant,
  ),
});

const Level = Stock.pick({ on_hand: true }).extend({ sku: Sku });

/** The stock rows of the variants and of the materials' samples. */
async function stockOf(
  products: readonly AdminProduct[],
  materials: readonly Material[],
  now: Date,
): Promise<Stock[]> {
  const levels = new Map((await readLevels(Level)).map(({ sku, on_hand }) => [sku, on_hand]));
  const row = (sku: string, of: Pick<Stock, "id" | "owner" | keyof SellingTerms>): Stock => {
    const on_hand = levels.get(sku);
    if (on_hand === undefined) throw new RangeError(`stock.jsonl does not contain ${sku}.`);
    const counted = { on_hand, reserved: 0, available: on_hand };
    return { ...of, ...counted, version: 1, updated_at: daysBefore(now, 1) };
  };
  return [
    ...products.flatMap(({ id, slug, variants }) =>
      variants.map(({ id: variant, sku, policy, low_stock_threshold }) =>
        row(sku, {
          id: variant,
          owner: { kind: "product", id, slug },
          policy,
          low_stock_threshold,
        }),
      ),
    ),
    ...materials.flatMap(({ id, code, swatch: { sku } }) => {
      const owner = { kind: "swatch" as const, id, slug: code };
      const terms = { policy: "deny" as const, low_stock_threshold: 5 };
      return sku === null ? [] : [row(sku, { id: code, owner, ...terms })];
    }),
  ];
}
