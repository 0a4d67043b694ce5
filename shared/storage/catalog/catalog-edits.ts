import { type Category, type CategoryKind, categoryPath } from "../../domain/catalog/category.ts";
import type { Sellable } from "../../domain/catalog/product.ts";
import {
  CategoryTree,
  CategoryUses,
  CategoryVersion,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  type ClaimedKind,
  type NamedKind,
  SlugClaims,
} from "./catalog.ts";
import { atLeast, either, is, isNew } from "../conditions.ts";
import { type Write, check, put, remove, replace, update } from "../writes.ts";

/** The condition that no item has the key, or that the item has this id. */
export const freeOrOwn = (id: string) => either(isNew, is("id", id));

/** Claims a slug. The write is refused if another record holds the slug. */
export const claimSlug = (kind: ClaimedKind, slug: string, id: string): Write =>
  put(SlugClaims, { kind, slug, id }, freeOrOwn(id));

export const freeSlug = (kind: ClaimedKind, slug: string): Write =>
  remove(SlugClaims, { kind, slug });

/** A check that fails if another record's published copy has the slug. */
export function checkPublished(kind: NamedKind, slug: string, id: string): Write {
  switch (kind) {
    case "product":
      return check(PublishedProducts, { slug }, freeOrOwn(id));
    case "sofa":
      return check(PublishedSofas, { slug }, freeOrOwn(id));
    case "material":
      return check(PublishedMaterials, { code: slug }, freeOrOwn(id));
  }
}

export function removePublished(kind: NamedKind, slug: string): Write {
  switch (kind) {
    case "product":
      return remove(PublishedProducts, { slug });
    case "sofa":
      return remove(PublishedSofas, { slug });
    case "material":
      return remove(PublishedMaterials, { code: slug });
  }
}

/** Replaces the categories that were read. @param version the version that was read; 0 if there were none */
export const putCategories = (categories: Category[], version: number): Write[] => [
  replace(
    CategoryTree,
    { categories, version: version + 1 },
    version > 0 ? is("version", version) : isNew,
  ),
  replace(CategoryVersion, { version: version + 1 }),
];

/** Makes the transaction conditional: the categories must be unchanged since they were read. */
export const requireCategoriesVersion = (version: number): Write =>
  // No row means that no category has been edited since version rows were introduced.
  check(CategoryVersion, {}, either(isNew, is("version", version)));

type Divided = Pick<Sellable, "category_slug" | "collection_slug" | "rooms" | "styles">;

/** Updates the number of references to each category. */
export function countCategoryUses(
  categories: readonly Category[],
  before: Divided | undefined,
  after: Divided | undefined,
): Write[] {
  const [left, entered] = [
    referredCategories(categories, before),
    referredCategories(categories, after),
  ];
  return [
    ...[...entered]
      .filter((id) => !left.has(id))
      .map((id) =>
        update(CategoryUses, { id }, { add: { uses: 1 }, set: { entity: CategoryUses.name } }),
      ),
    ...[...left]
      .filter((id) => !entered.has(id))
      .map((id) => update(CategoryUses, { id }, { add: { uses: -1 } }, atLeast("uses", 1))),
  ];
}

/** Ids of the categories that a product or sofa refers to, without their ancestors. */
export function referredCategories(
  categories: readonly Category[],
  of: Divided | undefined,
): Set<string> {
  if (!of) return new Set();
  const id = (kind: CategoryKind, slug: string) =>
    categoryPath(categories, kind, slug)[0]?.id ?? [];
  return new Set(
    [
      id("category", of.category_slug),
      of.collection_slug === null ? [] : id("collection", of.collection_slug),
      ...of.rooms.map((slug) => id("room", slug)),
      ...of.styles.map((slug) => id("style", slug)),
    ].flat(),
  );
}
