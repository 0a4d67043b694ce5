import type { FacetCode } from "#shared/domain/catalog/card.ts";
import {
  rankRelated,
  type RelatedCandidate,
  type RelatedCard,
} from "#shared/domain/listing/related.ts";
import { addAll, addBit, emptyBits, hasBit, keepOnly, removeBit, type Bits } from "./bits.ts";
import { docOfId, docsHaving, docsOfKind, rowOfDoc, type CatalogIndex } from "./catalog-index.ts";
import { cardAt, cardOf } from "./card-text.ts";
import { ownPrice } from "./card-variants.ts";
import { inOrder } from "./catalog-page.ts";
import { valueCounts } from "./facets.ts";
import { kindOfRow } from "./segment.ts";
import { stringAt, stringsAt } from "./string-column.ts";

const relatedBy = ["category", "room", "style"] as const satisfies FacetCode[];
type RelatedBy = (typeof relatedBy)[number];

export interface Neighbours {
  subject: RelatedCandidate;
  /** The published products that staff picked, in their order. */
  picks: RelatedCandidate[];
  /** The most popular cards of each category, room and style, and the nearest in price, without the picks. */
  others: RelatedCandidate[];
}

/** The related cards of a card, each with the reason; empty for an unknown id. `limit` is at most 24. */
export function relatedTo(index: CatalogIndex, id: string, limit: number): RelatedCard[] {
  const around = neighbours(index, id);
  if (around === undefined) return [];
  return rankRelated(around.subject, around.picks, around.others, limit).map(({ id, reason }) => {
    const card = cardOf(cardAt(index, docOfId(index, id)!));
    return Object.assign(card, { reason });
  });
}

/** The card's category, rooms and styles, each with the current documents that share it. */
type SharedValues = Record<RelatedBy, [value: string, docs: Bits][]>;

/**
 * Candidates for related cards, without the card itself: at most `each` for each value. Unavailable cards are included
 * only if there are fewer than `each` available cards in total.
 */
export function neighbours(index: CatalogIndex, id: string, each = 24): Neighbours | undefined {
  const subject = docOfId(index, id);
  if (subject === undefined) return undefined;
  const values = valuesOf(index, subject);
  const inStock = docsHaving(index, "in_stock", ["yes"]);
  const picks = picksOf(index, subject);
  const open = inStock.slice();
  // Sofas are made to order, so they are always available.
  addAll(open, docsOfKind(index, "sofa"));
  for (const taken of [subject, ...picks]) removeBit(open, taken);
  const others = new Set(nearest(index, { subject, values, open }, each));
  if (others.size < each) {
    open.set(index.published);
    for (const taken of [subject, ...picks]) removeBit(open, taken);
    for (const doc of nearest(index, { subject, values, open }, each)) others.add(doc);
  }
  const candidate = (doc: number): RelatedCandidate => {
    const [segment, row] = rowOfDoc(index, doc);
    const shared = (code: RelatedBy) =>
      values[code].flatMap(([value, docs]) => (hasBit(docs, doc) ? [value] : []));
    return {
      id: stringAt(segment.ids, row),
      kind: kindOfRow(segment, row),
      price: ownPrice(index, doc),
      popularity: segment.popularity[row]!,
      in_stock: hasBit(inStock, doc),
      category: shared("category"),
      room: shared("room"),
      style: shared("style"),
    };
  };
  return {
    subject: candidate(subject),
    picks: picks.map(candidate),
    others: Array.from(others, candidate),
  };
}

function valuesOf(index: CatalogIndex, subject: number): SharedValues {
  const alone = emptyBits(index.size);
  addBit(alone, subject);
  const counts = valueCounts(index, alone, relatedBy);
  const ofFacet = (code: RelatedBy) =>
    Array.from(counts.get(code)!.keys(), (value): [string, Bits] => [
      value,
      docsHaving(index, code, [value]),
    ]);
  return { category: ofFacet("category"), room: ofFacet("room"), style: ofFacet("style") };
}

function picksOf(index: CatalogIndex, subject: number): number[] {
  const [segment, row] = rowOfDoc(index, subject);
  const ids = stringsAt(segment.picks, row);
  const docs = ids.flatMap((id) => docOfId(index, id) ?? []);
  return [...new Set(docs)].filter((doc) => doc !== subject);
}

function nearest(
  index: CatalogIndex,
  { subject, values, open }: { subject: number; values: SharedValues; open: Bits },
  each: number,
): number[] {
  const alike = relatedBy.flatMap((code) =>
    values[code].flatMap(([, having]) => {
      const docs = having.slice();
      keepOnly(docs, open);
      return inOrder(index, "popular", docs, { limit: each });
    }),
  );
  return [...alike, ...nearestInPrice(index, subject, open, each)];
}

/**
 * The cards nearest in price, half of them more expensive and half cheaper. Only a bounded range of the price order is
 * searched.
 */
function nearestInPrice(index: CatalogIndex, subject: number, open: Bits, count: number): number[] {
  const { docs: ordered, ranks } = index.orders.price;
  const { starts, docs } = index.variants;
  const place = ranks[starts[subject]!]!;
  const stretch = 40 * count;
  const near = (variants: Uint32Array) =>
    Array.from(variants).flatMap((variant) => {
      const doc = docs[variant]!;
      return variant === starts[doc] && hasBit(open, doc) ? [doc] : [];
    });
  const dearer = near(ordered.subarray(place + 1, place + 1 + stretch));
  const cheaper = near(ordered.subarray(Math.max(0, place - stretch), place)).toReversed();
  return [...dearer.slice(0, count / 2), ...cheaper.slice(0, count / 2)];
}
