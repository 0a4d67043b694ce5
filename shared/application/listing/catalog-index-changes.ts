import { bySlug, slugsHaving, cardSlugs } from "#shared/search/cards.ts";
import type { CatalogIndex } from "#shared/search/catalog-index.ts";
import type { IndexChange } from "#shared/search/catalog-writer.ts";
import {
  type CatalogDocuments,
  categoriesOf,
  materialsByName,
  materialsOf,
} from "#shared/search/documents.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import type { IndexDocuments } from "#shared/search/index-format.ts";
import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import { Card, type CatalogEntry } from "#shared/domain/catalog/card.ts";
import { renamedCategories } from "#shared/domain/catalog/category.ts";
import type { CatalogChange } from "#shared/queues/queue-messages.ts";
import { type CatalogDeps, changedPages } from "./page-entries.ts";
import { publishedEntries } from "./published-entries.ts";

/**
 * Returns the index changes that changes of records require. Also stores the cards, which are separate rows of the
 * table.
 */
export async function indexCatalogChanges(
  changes: readonly CatalogChange[],
  { index, documents }: Catalog,
  deps: CatalogDeps,
): Promise<IndexChange[]> {
  const codes = new Set(
    changes.flatMap((change) => (change.kind === "material" ? [change.code] : [])),
  );
  const changed = await readDocuments(changes, codes, documents, deps);
  const materials = materialsOf({ ...documents, ...changed });

  const before = categoriesOf(documents);
  const renamed = renamedCategories(before, changed.categories ?? before);
  const slugs = (kind: "product" | "sofa") => [
    ...new Set([
      ...changes.flatMap((change) => (change.kind === kind ? [change.slug] : [])),
      ...renamed.flatMap((category) => slugsHaving(index, kind, category.kind, category.slug)),
    ]),
  ];
  const requested = { products: slugs("product"), sofas: slugs("sofa") };
  // A sofa's card shows its materials and the price with its cheapest fabric, so it changes with each of these
  // materials.
  const offering = { sofas: codes.size > 0 ? cardSlugs(index, "sofa") : [], materials: codes };
  const entries = await publishedEntries({ ...requested, offering }, materials, deps);
  const removed = noLongerPublished(index, requested, entries);

  // The cards are stored before the index, so that a reader of the new index finds them.
  await deps.published.putCards(entries.map(({ card }) => card));
  await deps.published.removeCards(removed);
  return [
    ...removed.map((id): IndexChange => ({ type: "remove", id })),
    ...entries.map(({ card, ...entry }): IndexChange => {
      // Lists send a card as the index stores it, so undeclared members are dropped here.
      return { type: "upsert", entry: { ...entry, card: parsedBy(Card, card) } };
    }),
    ...Object.entries(changed).map(([name, value]): IndexChange => ({
      type: "document",
      name,
      value,
    })),
  ];
}

async function readDocuments(
  changes: readonly CatalogChange[],
  codes: ReadonlySet<string>,
  before: IndexDocuments,
  deps: CatalogDeps,
): Promise<Partial<CatalogDocuments>> {
  const { published } = deps;
  const changed = (kind: CatalogChange["kind"]) => changes.some((change) => change.kind === kind);
  const slugs = (kind: "page" | "story") =>
    changes.flatMap((change) => (change.kind === kind ? [change.slug] : []));
  const kept = () => [...materialsOf(before).values()].filter(({ code }) => !codes.has(code));
  return {
    ...(codes.size > 0 && {
      materials: materialsByName([...kept(), ...(await published.materials([...codes]))]),
    }),
    ...(changed("categories") && { categories: await published.categories() }),
    ...(changed("sofa-landing") && { sofa_landing: await published.sofaLanding() }),
    ...((changed("page") || changed("story")) && {
      pages: await changedPages(before, { pages: slugs("page"), stories: slugs("story") }, deps),
    }),
    ...(changed("search-settings") && { search: await published.searchSettings() }),
  };
}

/**
 * Ids of indexed records whose slug is no longer published. A record whose slug has changed is among `entries` and
 * stays.
 */
function noLongerPublished(
  index: CatalogIndex,
  requested: { products: readonly string[]; sofas: readonly string[] },
  entries: readonly CatalogEntry[],
): string[] {
  const published = new Set(entries.map(({ card }) => card.id));
  const known = [
    ...requested.products.map((slug) => bySlug(index, "product", slug)),
    ...requested.sofas.map((slug) => bySlug(index, "sofa", slug)),
  ];
  return known.flatMap((address) => (address && !published.has(address.id) ? [address.id] : []));
}
