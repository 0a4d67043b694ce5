import type { Facet } from "#shared/domain/catalog/card.ts";
import type { Category } from "#shared/domain/catalog/category.ts";
import type { PublicSofaLanding, SofaLanding } from "#shared/domain/content/content.ts";
import type { PublishedMaterial } from "#shared/domain/catalog/material.ts";
import type { PageEntry } from "#shared/domain/listing/page-entry.ts";
import { withMediaUrls } from "#shared/domain/upload/media.ts";
import type { SearchSettings } from "#shared/domain/settings/further-settings.ts";
import { cardOf } from "./card-text.ts";
import { cardText } from "./cards.ts";
import type { Catalog } from "./load-catalog.ts";
import type { IndexDocuments } from "./index-format.ts";
import { memoizedRules, noRules, type SearchRules } from "./search-rules.ts";

/** Small documents stored with the cards, keyed by name. Every list needs them, and they change rarely. */
export interface CatalogDocuments {
  materials: PublishedMaterial[];
  categories: Category[];
  sofa_landing: SofaLanding | null;
  search: SearchSettings;
  pages: PageEntry[];
}

// Only the writer of the catalog index writes its documents, and always in these shapes.
const inCatalog = (documents: IndexDocuments) => documents as Partial<CatalogDocuments>;

const materialMaps = new WeakMap<IndexDocuments, ReadonlyMap<string, PublishedMaterial>>();

/** The materials in the order in which the documents store them: by name. */
export function materialsByName(materials: readonly PublishedMaterial[]): PublishedMaterial[] {
  return materials.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The published materials by code, in the order of their names. */
export function materialsOf(documents: IndexDocuments): ReadonlyMap<string, PublishedMaterial> {
  let byCode = materialMaps.get(documents);
  if (!byCode) {
    const { materials = [] } = inCatalog(documents);
    byCode = new Map(materials.map((material) => [material.code, material]));
    materialMaps.set(documents, byCode);
  }
  return byCode;
}

const swatchSkus = new WeakMap<IndexDocuments, ReadonlySet<string>>();

/** The SKUs of the materials' samples, which have no cards. */
export function swatchSkusOf(documents: IndexDocuments): ReadonlySet<string> {
  let skus = swatchSkus.get(documents);
  if (!skus) {
    const materials = [...materialsOf(documents).values()];
    skus = new Set(materials.flatMap(({ swatch: { sku } }) => sku ?? []));
    swatchSkus.set(documents, skus);
  }
  return skus;
}

/** The rules with which staff steer search; no rules if the index has none. */
export function searchRulesOf(documents: IndexDocuments): SearchRules {
  const { search } = inCatalog(documents);
  return search === undefined ? noRules : memoizedRules(search);
}

/** The published pages and interior stories. */
export function pagesOf(documents: IndexDocuments): readonly PageEntry[] {
  return inCatalog(documents).pages ?? noPages;
}

/**
 * The documents with URLs in their pages, because lists send pages as the index contains them. The other documents keep
 * their addresses; answers complete those.
 */
export function withPageUrls(documents: IndexDocuments, mediaBaseUrl: string): IndexDocuments {
  const { pages } = inCatalog(documents);
  return pages === undefined
    ? documents
    : { ...documents, pages: withMediaUrls(pages, mediaBaseUrl) };
}

const noPages: readonly PageEntry[] = [];

export function categoriesOf(documents: IndexDocuments): readonly Category[] {
  return inCatalog(documents).categories ?? [];
}

/** The facets with the parents of categories, so that these form a tree. */
export function withParents(facets: readonly Facet[], documents: IndexDocuments): Facet[] {
  const all = categoriesOf(documents).filter(({ kind }) => kind === "category");
  const byId = new Map(all.map((category) => [category.id, category]));
  const parents = new Map(
    all.map(({ slug, parent_id }) => [slug, byId.get(parent_id ?? "")?.slug ?? null]),
  );
  return facets.map((facet) =>
    facet.code === "category"
      ? {
          ...facet,
          values: facet.values.map((one) => ({ ...one, parent: parents.get(one.value) ?? null })),
        }
      : facet,
  );
}

/** The introduction to the list of sofas, with its featured cards. Unpublished ones are left out. */
export function landingOf({ index, documents }: Catalog): PublicSofaLanding | null {
  const { sofa_landing: landing } = inCatalog(documents);
  if (!landing) return null;
  const cards = landing.featured.flatMap(({ id }) => {
    const text = cardText(index, id);
    return text === undefined ? [] : [cardOf(text)];
  });
  return { ...landing, featured: cards };
}
