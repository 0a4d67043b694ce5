import { type Category, type CategoryKind, type CategoryRef, categoryPath } from "./category.ts";
import type { Problem } from "./names.ts";
import { LiveProduct, type LiveSellable, type Product, type Sellable } from "./product.ts";
import { checkProduct, checkSellable, checkSofaSlug } from "./product-problems.ts";
import { LiveSofa, type Sofa } from "./sofa.ts";
import { checkSofaModel } from "./sofa-model.ts";

export type Published<Live> = { ok: true; live: Live } | { ok: false; problems: Problem[] };

/** The live copy of a product, or what keeps it from having one. `published_at` is that of the first publication. */
export function publishProduct(
  product: Product,
  categories: readonly Category[],
  now: Date,
): Published<LiveProduct> {
  const problems = checkProduct(product, categories);
  if (problems.length > 0) return { ok: false, problems };
  const live = { ...product, ...placed(product, categories, now), kind: "product" };
  return { ok: true, live: LiveProduct.parse(live) };
}

/** The live copy of a sofa, or what keeps it from having one. */
export function publishSofa(
  sofa: Sofa,
  categories: readonly Category[],
  now: Date,
): Published<LiveSofa> {
  const problems = checkSofa(sofa, categories);
  if (problems.length > 0) return { ok: false, problems };
  const live = { ...sofa, ...placed(sofa, categories, now), kind: "sofa" };
  return { ok: true, live: LiveSofa.parse(live) };
}

/** What keeps a sofa from being published. */
export function checkSofa(sofa: Sofa, categories: readonly Category[]): Problem[] {
  return [...checkSofaSlug(sofa.slug), ...checkSellable(sofa, categories), ...checkSofaModel(sofa)];
}

/** Where a record stands in the catalog, with the names that people read; parsing leaves behind what is staff's alone. */
function placed(record: Sellable, categories: readonly Category[], now: Date) {
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

/** A live copy with the names and places that its categories have now. */
export function placedAnew<Live extends LiveSellable>(
  live: Live,
  categories: readonly Category[],
): Live {
  const slug = (ref: CategoryRef) => ref.slug;
  const place = placeOf(
    {
      category_slug: live.category.slug,
      collection_slug: live.collection?.slug ?? null,
      rooms: live.rooms.map(slug),
      styles: live.styles.map(slug),
    },
    categories,
  );
  return place.category ? { ...live, ...place, category: place.category } : live;
}
