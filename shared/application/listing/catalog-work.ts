import { cardAddress, bySlug, cardSlugs } from "#shared/search/cards.ts";
import { type CatalogDocuments, materialsByName, materialsOf } from "#shared/search/documents.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import type { IndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import type { CatalogChange } from "#shared/queues/queue-messages.ts";
import type { IndexDeps, IndexWork } from "./index-work.ts";
import { indexCatalogChanges } from "./catalog-index-changes.ts";
import { type CatalogDeps, allPageEntries } from "./page-entries.ts";

const kinds = ["product", "sofa"] as const;

/** How the catalog index is updated and rebuilt. */
export function catalogWork(deps: IndexDeps & CatalogDeps): IndexWork<CatalogChange> {
  const { published } = deps;
  return {
    ...deps,
    kinds,
    documents: async () => ({ ...(await documentsOf(deps)) }),
    async list(kind, page) {
      const of = kind === "sofa" ? "sofa" : "product";
      const { names, next } = await published.namesOf(of, page);
      return { changes: names.map((slug): CatalogChange => ({ kind: of, slug })), next };
    },
    indexChanges: (changes, catalog) => indexCatalogChanges(changes, catalog, deps),
    missing,
    removeObsolete: (stored, rebuilt) =>
      published.removeCards(cardsOnlyIn(stored, rebuilt).map((card) => card.id)),
  };
}

/**
 * Returns a catalog store that writes no cards. It is for the process that prepares the next release's read model,
 * because the current release still shows the stored cards.
 */
export const onlyReading = (published: IndexedCatalog): IndexedCatalog => ({
  ...published,
  place: async () => undefined,
  putCards: async () => undefined,
  removeCards: async () => undefined,
});

async function documentsOf(deps: CatalogDeps): Promise<CatalogDocuments> {
  const { published } = deps;
  const { names: codes } = await published.namesOf("material");
  const [materials, categories, sofa_landing, search, pages] = await Promise.all([
    published.materials(codes),
    published.categories(),
    published.sofaLanding(),
    published.searchSettings(),
    allPageEntries(deps),
  ]);
  return { materials: materialsByName(materials), categories, sofa_landing, search, pages };
}

function missing(stored: Catalog, rebuilt: Catalog): CatalogChange[] {
  const known = materialsOf(rebuilt.documents);
  return [
    ...cardsOnlyIn(stored, rebuilt).map(({ kind, slug }): CatalogChange => ({ kind, slug })),
    ...[...materialsOf(stored.documents).keys()]
      .filter((code) => !known.has(code))
      .map((code): CatalogChange => ({ kind: "material", code })),
  ];
}

function cardsOnlyIn(stored: Catalog, rebuilt: Catalog) {
  return kinds
    .flatMap((kind) =>
      cardSlugs(stored.index, kind).map((slug) => bySlug(stored.index, kind, slug)),
    )
    .filter((card) => card !== undefined)
    .filter(({ id }) => cardAddress(rebuilt.index, id) === undefined);
}
