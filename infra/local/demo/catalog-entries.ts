import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import { Card } from "#shared/domain/catalog/card.ts";
import { publishMaterial } from "#shared/domain/catalog/material.ts";
import { type Publication, publishProduct } from "#shared/domain/catalog/publish.ts";
import { productEntry, sofaEntry } from "#shared/domain/listing/catalog-entry.ts";
import { publishSofa } from "#shared/domain/sofa/sofa-model.ts";
import type { IndexEntry } from "#shared/search/segment.ts";
import { demoCatalog } from "./catalog.ts";

/** The demo shop's rows of the catalog index, as its writer makes them. */
export async function demoCatalogEntries(now: Date): Promise<(IndexEntry & { card: Card })[]> {
  const { categories, materials, products, sofas, stock } = await demoCatalog(now);
  const byCode = new Map(
    materials.map((material) => [material.code, publishMaterial(material)] as const),
  );
  const entries = [
    ...products.map((product) => {
      const published = requirePublished(publishProduct(product, categories, now));
      const levels = stock.filter(({ owner }) => owner.id === product.id);
      return productEntry(published, levels);
    }),
    ...sofas.map((sofa) => {
      const published = requirePublished(publishSofa(sofa, categories, now));
      return sofaEntry(published, byCode);
    }),
  ];
  return entries.map((entry) => ({ ...entry, card: parsedBy(Card, entry.card) }));
}

function requirePublished<Of>(publication: Publication<Of>): Of {
  if (!publication.ok) throw new Error(JSON.stringify(publication.problems));
  return publication.published;
}
