import { isDeepStrictEqual } from "node:util";
import type { CatalogEntry } from "#shared/domain/card.ts";
import { catalogEntry, productCard, sofaCard } from "#shared/domain/catalog-entry.ts";
import type { LiveMaterial } from "#shared/domain/material.ts";
import type { LiveProduct } from "#shared/domain/product.ts";
import { placedAnew } from "#shared/domain/publish.ts";
import { materialCodes } from "#shared/domain/sofa-choices.ts";
import type { LiveSofa } from "#shared/domain/sofa.ts";
import type { Deps } from "./deps.ts";

export type Materials = ReadonlyMap<string, LiveMaterial>;

export interface Wanted {
  products: readonly string[];
  sofas: readonly string[];
  /** More sofas, of which only those that offer one of these materials are wanted. */
  offering?: { sofas: readonly string[]; materials: ReadonlySet<string> };
}

/** So many are read and worked on at a time, so that a whole catalog does not ask for everything at once. */
const atOnce = 500;

/**
 * What is published under these slugs, as rows of the view. Copies that were made before a category was renamed get
 * its new name.
 */
export async function publishedEntries(
  { products, sofas, offering }: Wanted,
  materials: Materials,
  { published }: Pick<Deps, "published">,
): Promise<CatalogEntry[]> {
  const maybe = offering?.sofas ?? [];
  if (products.length + sofas.length + maybe.length === 0) return [];
  const categories = await published.categories();
  const entries: CatalogEntry[] = [];

  async function placed<Live extends LiveProduct | LiveSofa>(lives: readonly Live[]) {
    const copies = lives.map((live) => placedAnew(live, categories));
    await published.place(
      copies.filter((copy, position) => !isDeepStrictEqual(copy, lives[position])),
    );
    return copies;
  }

  for (const slugs of inPortions(products)) {
    const found = await published.products(slugs);
    const copies = await placed(found.map(({ product }) => product));
    for (const [position, live] of copies.entries()) {
      entries.push(catalogEntry(live, productCard(live, found[position]?.stock ?? []), new Map()));
    }
  }
  const asked = new Set(sofas);
  for (const slugs of inPortions([...new Set([...sofas, ...maybe])])) {
    const found = await published.sofas(slugs);
    const wanted = found.filter(
      (sofa) =>
        asked.has(sofa.slug) ||
        materialCodes(sofa).some((code) => offering?.materials.has(code) ?? false),
    );
    for (const live of await placed(wanted)) {
      entries.push(catalogEntry(live, sofaCard(live, materials), materials));
    }
  }
  return entries;
}

function inPortions(slugs: readonly string[]): string[][] {
  const portions: string[][] = [];
  for (let start = 0; start < slugs.length; start += atOnce) {
    portions.push(slugs.slice(start, start + atOnce));
  }
  return portions;
}
