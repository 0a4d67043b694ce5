import { isDeepStrictEqual } from "node:util";
import type { CatalogEntry } from "#shared/domain/catalog/card.ts";
import { productEntry, sofaEntry } from "#shared/domain/listing/catalog-entry.ts";
import type { PublishedMaterial } from "#shared/domain/catalog/material.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import { withCurrentCategories } from "#shared/domain/catalog/publish.ts";
import { materialCodes } from "#shared/domain/sofa/sofa-choices.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import type { CatalogDeps } from "./page-entries.ts";

export type PublishedMaterialsById = ReadonlyMap<string, PublishedMaterial>;

export interface Wanted {
  products: readonly string[];
  sofas: readonly string[];
  /** Further sofas by slug, included only if they offer one of these materials. */
  offering?: { sofas: readonly string[]; materials: ReadonlySet<string> };
}

/** Maximum number of records per read. */
const batchSize = 500;

/**
 * The index rows of the published records with these slugs. If a category was renamed since publication, its new name
 * is first written into the published copies.
 */
export async function publishedEntries(
  { products, sofas, offering }: Wanted,
  materials: PublishedMaterialsById,
  { published }: CatalogDeps,
): Promise<CatalogEntry[]> {
  const maybe = offering?.sofas ?? [];
  if (products.length + sofas.length + maybe.length === 0) return [];
  const categories = await published.categories();
  const entries: CatalogEntry[] = [];

  async function placed<Of extends PublishedProduct | PublishedSofa>(lives: readonly Of[]) {
    const copies = lives.map((published) => withCurrentCategories(published, categories));
    await published.place(
      copies.filter((copy, position) => !isDeepStrictEqual(copy, lives[position])),
    );
    return copies;
  }

  for (const slugs of inPortions(products)) {
    const found = await published.products(slugs);
    const copies = await placed(found.map(({ product }) => product));
    for (const [position, published] of copies.entries()) {
      entries.push(productEntry(published, found[position]?.stock ?? []));
    }
  }
  const requested = new Set(sofas);
  for (const slugs of inPortions([...new Set([...sofas, ...maybe])])) {
    const found = await published.sofas(slugs);
    const wanted = found.filter(
      (sofa) =>
        requested.has(sofa.slug) ||
        materialCodes(sofa).some((code) => offering?.materials.has(code) ?? false),
    );
    for (const published of await placed(wanted)) {
      entries.push(sofaEntry(published, materials));
    }
  }
  return entries;
}

function inPortions(slugs: readonly string[]): string[][] {
  const portions: string[][] = [];
  for (let start = 0; start < slugs.length; start += batchSize) {
    portions.push(slugs.slice(start, start + batchSize));
  }
  return portions;
}
