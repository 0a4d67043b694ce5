import {
  CategoryKind,
  type ListedCategory,
  categoryPath,
} from "#shared/domain/catalog/category.ts";
import { breadcrumbsOf, categoryHead } from "#shared/domain/seo/page-heads.ts";
import type { StorefrontSettings } from "#shared/domain/settings/storefront-address.ts";
import { categoriesOf } from "#shared/search/documents.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import type { Shop } from "#shared/application/shop.ts";
import { keptSettings } from "./kept-records.ts";

/** The filters of a list by category, collection, room and style. */
type Filters = { readonly [Kind in CategoryKind]?: readonly string[] | undefined };

/**
 * The member `category` of a list's `meta`, if the list is filtered by a single category that exists, or else by a single
 * collection, room or style.
 */
export async function listedIn(
  { documents }: Catalog,
  filters: Filters,
  shop: Shop<"table" | "memory">,
): Promise<{ category?: ListedCategory }> {
  for (const kind of CategoryKind.options) {
    const [slug, ...others] = filters[kind] ?? [];
    if (slug === undefined || others.length > 0) continue;
    const category = categoryWithPlace(documents, kind, slug, await keptSettings(shop));
    if (category) return { category };
  }
  return {};
}

/** A category with its breadcrumbs and the head of its page; undefined if there is none. */
export function categoryWithPlace(
  documents: Catalog["documents"],
  kind: CategoryKind,
  slug: string,
  settings: Pick<StorefrontSettings, "seo">,
): ListedCategory | undefined {
  const path = categoryPath(categoriesOf(documents), kind, slug);
  const [category] = path;
  if (!category) return undefined;
  return {
    ...category,
    breadcrumbs: breadcrumbsOf(path, settings),
    seo: categoryHead(category, settings),
  };
}
