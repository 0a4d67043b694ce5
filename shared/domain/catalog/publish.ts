import { type Category, type CategoryKind, type CategoryRef, categoryPath } from "./category.ts";
import type { Problem } from "../base/names.ts";
import {
  PublishedProduct,
  type PublishedSellable,
  type Product,
  type Sellable,
} from "./product.ts";
import { checkProduct } from "./product-problems.ts";

export type Publication<Of> = { ok: true; published: Of } | { ok: false; problems: Problem[] };

/**
 * The published copy of a product, or the problems that prevent it. `published_at` is the time of the first
 * publication.
 */
export function publishProduct(
  product: Product,
  categories: readonly Category[],
  now: Date,
): Publication<PublishedProduct> {
  const problems = checkProduct(product, categories);
  if (problems.length > 0) return { ok: false, problems };
  const published = { ...product, ...placed(product, categories, now), kind: "product" };
  return { ok: true, published: PublishedProduct.parse(published) };
}

/**
 * The members that a published copy has besides those of the draft: categories with their names, and `published_at`.
 */
export function placed(record: Sellable, categories: readonly Category[], now: Date) {
  return {
    ...placeOf(record, categories),
    published_at: record.published_at ?? now.toISOString(),
  };
}

type Divisions = Pick<Sellable, "category_slug" | "collection_slug" | "rooms" | "styles">;

function placeOf(record: Divisions, categories: readonly Category[]) {
  const refs = (kind: CategoryKind, slugs: readonly string[]): CategoryRef[] =>
    slugs.flatMap((slug) => {
      const [found] = categoryPath(categories, kind, slug);
      return found ? [{ slug: found.slug, name: found.name }] : [];
    });
  const path = categoryPath(categories, "category", record.category_slug);
  return {
    category: refs("category", [record.category_slug])[0],
    category_path: path.map(({ slug, name }) => ({ slug, name })),
    collection:
      refs("collection", record.collection_slug === null ? [] : [record.collection_slug])[0] ??
      null,
    rooms: refs("room", record.rooms),
    styles: refs("style", record.styles),
  };
}

/** A published copy with the current names and paths of its categories. */
export function withCurrentCategories<Of extends PublishedSellable>(
  published: Of,
  categories: readonly Category[],
): Of {
  const slug = (ref: CategoryRef) => ref.slug;
  const place = placeOf(
    {
      category_slug: published.category.slug,
      collection_slug: published.collection?.slug ?? null,
      rooms: published.rooms.map(slug),
      styles: published.styles.map(slug),
    },
    categories,
  );
  return place.category ? { ...published, ...place, category: place.category } : published;
}
