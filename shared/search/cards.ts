import type { ParsedJson } from "#shared/domain/base/parsed-json.ts";
import type { CardKind, FacetCode } from "#shared/domain/catalog/card.ts";
import { keepOnly, listBits } from "./bits.ts";
import {
  docOfId,
  docOfSlug,
  docsHaving,
  docsOfKind,
  rowOfDoc,
  type CatalogIndex,
} from "./catalog-index.ts";
import { cardAt, cardOf } from "./card-text.ts";
import { variantIdsAt } from "./card-variants.ts";
import { valueCounts } from "./facets.ts";
import { kindOfRow, slugOfRow } from "./segment.ts";
import { stringAt } from "./string-column.ts";

/** The product or sofa that has a slug. */
export interface CardAddress {
  id: string;
  kind: CardKind;
  slug: string;
}

export function bySlug(index: CatalogIndex, kind: CardKind, slug: string): CardAddress | undefined {
  const doc = docOfSlug(index, kind, slug);
  return doc === undefined ? undefined : addressAt(index, doc);
}

/** The ids of a product's variants; none if there is no card with this slug. */
export function variantIdsOf(index: CatalogIndex, slug: string): string[] {
  const doc = docOfSlug(index, "product", slug);
  return doc === undefined ? [] : variantIdsAt(index, doc, cardOf(cardAt(index, doc)));
}

export function cardAddress(index: CatalogIndex, id: string): CardAddress | undefined {
  const doc = docOfId(index, id);
  return doc === undefined ? undefined : addressAt(index, doc);
}

export function cardText(index: CatalogIndex, id: string): ParsedJson | undefined {
  const doc = docOfId(index, id);
  return doc === undefined ? undefined : cardAt(index, doc);
}

/** The number of cards (of a kind) per value of a facet; used by the category trees. */
export function countsOf(
  index: CatalogIndex,
  code: FacetCode,
  kind?: CardKind,
): ReadonlyMap<string, number> {
  return valueCounts(index, docsOfKind(index, kind), [code]).get(code)!;
}

/** The slugs of all cards of a kind, unordered. */
export function cardSlugs(index: CatalogIndex, kind: CardKind): string[] {
  return Array.from(listBits(docsOfKind(index, kind)), (doc) => slugOfRow(...rowOfDoc(index, doc)));
}

/** The ids of all rows of a kind, sorted. */
export function idsOf(index: CatalogIndex, kind: string): string[] {
  const ids = Array.from(listBits(docsOfKind(index, kind)), (doc) => {
    const [segment, row] = rowOfDoc(index, doc);
    return stringAt(segment.ids, row);
  });
  return ids.toSorted();
}

/** The slugs of the cards of a kind that have a facet value. */
export function slugsHaving(
  index: CatalogIndex,
  kind: CardKind,
  code: FacetCode,
  value: string,
): string[] {
  const docs = docsHaving(index, code, [value]);
  keepOnly(docs, docsOfKind(index, kind));
  return Array.from(listBits(docs), (doc) => slugOfRow(...rowOfDoc(index, doc)));
}

function addressAt(index: CatalogIndex, doc: number): CardAddress {
  const [segment, row] = rowOfDoc(index, doc);
  return {
    id: stringAt(segment.ids, row),
    kind: kindOfRow(segment, row),
    slug: slugOfRow(segment, row),
  };
}
