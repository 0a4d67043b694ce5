import { bySlug, slugsOf } from "#shared/catalog-view/cards.ts";
import { rebuildCatalogView, type ViewContents } from "#shared/catalog-view/catalog-writer.ts";
import {
  type CatalogDocuments,
  materialsByName,
  materialsOf,
} from "#shared/catalog-view/documents.ts";
import { type Catalog, loadCatalog } from "#shared/catalog-view/load-catalog.ts";
import type { Deps } from "./deps.ts";
import { publishedEntries } from "./published-entries.ts";

/** Makes the view anew from what is published, whatever the stored one holds and whether it can be read or not. */
export async function rebuild({ published, target, log }: Deps): Promise<void> {
  const contents = async (): Promise<ViewContents> => {
    const stored = await storedCatalog(target, log);
    const names = namesIn(stored);
    // The index lags by moments, so what it may not list yet is taken from the view: all of it is read anew.
    const both = async (kind: "product" | "sofa" | "material") => [
      ...new Set([...(await published.namesOf(kind)), ...names[kind]]),
    ];
    const [products, sofas, codes, categories, sofa_landing] = await Promise.all([
      both("product"),
      both("sofa"),
      both("material"),
      published.categories(),
      published.sofaLanding(),
    ]);
    const materials = materialsByName(await published.materials(codes));
    const documents: CatalogDocuments = { materials, categories, sofa_landing };

    const entries = await publishedEntries(
      { products, sofas },
      new Map(materials.map((material) => [material.code, material])),
      { published },
    );
    const ids = new Set(entries.map(({ card }) => card.id));
    await published.putCards(entries.map(({ card }) => card));
    await published.removeCards(names.ids.filter((id) => !ids.has(id)));
    return { entries, documents: { ...documents } };
  };
  await rebuildCatalogView(target, contents);
}

async function storedCatalog(
  target: Deps["target"],
  log: Deps["log"],
): Promise<Catalog | undefined> {
  try {
    return (await loadCatalog(target)).catalog;
  } catch (cause) {
    log.warn("The stored catalog view cannot be read", { cause });
    return undefined;
  }
}

function namesIn(stored: Catalog | undefined) {
  if (stored === undefined) return { product: [], sofa: [], material: [], ids: [] };
  const { index, documents } = stored;
  const [product, sofa] = [slugsOf(index, "product"), slugsOf(index, "sofa")];
  const id = (kind: "product" | "sofa") => (slug: string) => bySlug(index, kind, slug)?.id ?? [];
  return {
    product,
    sofa,
    material: [...materialsOf(documents).keys()],
    ids: [...product.flatMap(id("product")), ...sofa.flatMap(id("sofa"))],
  };
}
