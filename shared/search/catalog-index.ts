import type { CardKind, FacetCode } from "#shared/domain/catalog/card.ts";
import { emptyBits, fullBits, hasBit, removeBit, type Bits } from "./bits.ts";
import { docsOfVariants } from "./card-variants.ts";
import { docsWithAny, facetColumns, type FacetColumns } from "./facet-columns.ts";
import { mergeOrders, sortOrders, type SortOrder } from "./orders.ts";
import { termCount } from "./postings.ts";
import {
  addLabels,
  rowOfAddress,
  rowOfId,
  segmentDraft,
  sortable,
  type Labels,
  type Segment,
} from "./segment.ts";
import { stringAt } from "./string-column.ts";

/**
 * All current cards, or those of one kind, with memoized counts: lists without a filter need the same counts
 * repeatedly.
 */
export interface Whole {
  kind: string | undefined;
  docs: Bits;
  counts: Map<FacetCode, ReadonlyMap<string, number>>;
}

/** The variants of all cards as one numbered set. Those of a card follow each other, the one that it shows first. */
interface IndexVariants {
  /** The document of each variant. */
  docs: Uint32Array<ArrayBuffer>;
  /** The first variant of each document, with one entry more at the end. */
  starts: Uint32Array<ArrayBuffer>;
  prices: Float64Array<ArrayBuffer>;
  facets: FacetColumns;
}

/**
 * All cards as one numbered set: the cards of the base first, then the cards of the overlay, which replace some cards
 * of the base. A replaced or removed card keeps its number but is not in `published`.
 */
export interface CatalogIndex {
  base: Segment;
  overlay: Segment;
  size: number;
  published: Bits;
  variants: IndexVariants;
  widths: Float64Array<ArrayBuffer>;
  depths: Float64Array<ArrayBuffer>;
  heights: Float64Array<ArrayBuffer>;
  /** The documents in each sort order, by price the variants, and the rank of each in it. */
  orders: Record<SortOrder, { docs: Uint32Array<ArrayBuffer>; ranks: Uint32Array<ArrayBuffer> }>;
  facets: FacetColumns;
  wholes: Whole[];
  labels: Labels;
}

/** Applies an overlay to a base. `removed` lists ids; cards in the overlay always replace those of the base. */
export function catalogIndex(
  base: Segment,
  overlay: Segment,
  removed: Iterable<string> = [],
): CatalogIndex {
  const size = base.size + overlay.size;
  const labels: Labels = {};
  addLabels(labels, base.labels);
  addLabels(labels, overlay.labels);
  const published = publishedDocuments(base, overlay, removed);
  const facets = facetColumns(base, overlay);
  return {
    base,
    overlay,
    size,
    published,
    variants: joinedVariants(base, overlay),
    widths: joined(base.widths, overlay.widths),
    depths: joined(base.depths, overlay.depths),
    heights: joined(base.heights, overlay.heights),
    orders: ranked(
      overlay.size === 0
        ? base.orders
        : mergeOrders(
            { ...sortable(base), orders: base.orders },
            { ...sortable(overlay), orders: overlay.orders },
          ),
    ),
    facets,
    wholes: wholesOf(facets, published),
    labels,
  };
}

/** A single segment of all remaining cards, to be stored as the next base. */
export function compacted(index: CatalogIndex): Segment {
  const draft = segmentDraft();
  let variants = 0;
  for (const [segment, start] of segmentsOf(index)) {
    const moved = new Int32Array(segment.size).fill(-1);
    const movedVariants = new Int32Array(segment.variantPrices.length).fill(-1);
    for (let row = 0; row < segment.size; row += 1) {
      if (!hasBit(index.published, start + row)) continue;
      moved[row] = draft.rows.length;
      for (let at = segment.variantStarts[row]!; at < segment.variantStarts[row + 1]!; at += 1) {
        movedVariants[at] = variants;
        variants += 1;
      }
      draft.rows.push({
        card: stringAt(segment.cards, row),
        id: stringAt(segment.ids, row),
        address: stringAt(segment.addresses, row),
        name: stringAt(segment.names, row),
        skus: stringAt(segment.skus, row),
        picks: stringAt(segment.picks, row),
        looks: stringAt(segment.looks, row),
        variants: variantsOf(segment, row),
        published: segment.published[row]!,
        popularity: segment.popularity[row]!,
        width: segment.widths[row]!,
        depth: segment.depths[row]!,
        height: segment.heights[row]!,
      });
    }
    for (const [part, numbers] of [
      ["facets", moved],
      ["text", moved],
      ["variantFacets", movedVariants],
    ] as const) {
      const { terms, offsets, docs, fields } = segment[part];
      for (let term = 0; term < termCount(segment[part]); term += 1) {
        const word = stringAt(terms, term);
        for (let at = offsets[term]!; at < offsets[term + 1]!; at += 1) {
          const doc = numbers[docs[at]!]!;
          if (doc >= 0) draft[part].add(word, doc, fields[at]!);
        }
      }
    }
  }
  draft.label(index.labels);
  return draft.finish();
}

function variantsOf({ variantStarts, variantPrices, shownVariants }: Segment, row: number) {
  const [from, to] = [variantStarts[row]!, variantStarts[row + 1]!];
  return Array.from(variantPrices.subarray(from, to), (price, at) => ({
    price,
    shown: stringAt(shownVariants, from + at),
  }));
}

/** Each segment with the number of its first document. */
export function segmentsOf(index: CatalogIndex): [Segment, start: number][] {
  return [
    [index.base, 0],
    [index.overlay, index.base.size],
  ];
}

/** The segment and row of a document. */
export function rowOfDoc(index: CatalogIndex, doc: number): [Segment, row: number] {
  return doc < index.base.size ? [index.base, doc] : [index.overlay, doc - index.base.size];
}

/** The current document with this id; undefined if there is none. */
export function docOfId(index: CatalogIndex, id: string): number | undefined {
  return publishedDocument(index, (segment) => rowOfId(segment, id));
}

/** The current document with this slug; undefined if there is none. */
export function docOfSlug(index: CatalogIndex, kind: CardKind, slug: string): number | undefined {
  return publishedDocument(index, (segment) => rowOfAddress(segment, `${kind}/${slug}`));
}

/** The documents of a kind, or all. The set is shared: do not change it. */
export function docsOfKind(index: CatalogIndex, kind: string | undefined): Bits {
  const whole = index.wholes.find((one) => one.kind === kind);
  return whole?.docs ?? emptyBits(index.size);
}

/** The documents with any of these values. The caller may change the returned set. */
export function docsHaving(index: CatalogIndex, code: string, values: Iterable<string>): Bits {
  return docsWithAny(index.facets, index.published, code, values);
}

function publishedDocument(
  index: CatalogIndex,
  find: (segment: Segment) => number,
): number | undefined {
  for (const [segment, start] of segmentsOf(index)) {
    const row = find(segment);
    if (row >= 0 && hasBit(index.published, start + row)) return start + row;
  }
  return undefined;
}

function publishedDocuments(base: Segment, overlay: Segment, removed: Iterable<string>): Bits {
  const published = fullBits(base.size + overlay.size);
  const bury = (id: string) => {
    const row = rowOfId(base, id);
    if (row >= 0) removeBit(published, row);
  };
  for (const id of removed) bury(id);
  for (let row = 0; row < overlay.size; row += 1) bury(stringAt(overlay.ids, row));
  return published;
}

function joined<Column extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  a: Column,
  b: Column,
): Column {
  const all =
    a instanceof Float64Array
      ? new Float64Array(a.length + b.length)
      : new Uint32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  // Made as the arrays that it joins.
  return all as Column;
}

function joinedVariants(base: Segment, overlay: Segment): IndexVariants {
  const ofBase = base.variantPrices.length;
  const [docs, newDocs] = [docsOfVariants(base), docsOfVariants(overlay)];
  const faceted = ({ variantFacets, variantPrices }: Segment) => ({
    facets: variantFacets,
    size: variantPrices.length,
  });
  return {
    docs: joined(
      docs,
      newDocs.map((doc) => base.size + doc),
    ),
    starts: joined(
      base.variantStarts.subarray(0, base.size),
      overlay.variantStarts.map((start) => ofBase + start),
    ),
    prices: joined(base.variantPrices, overlay.variantPrices),
    facets: facetColumns(faceted(base), faceted(overlay)),
  };
}

function ranked(orders: Segment["orders"]): CatalogIndex["orders"] {
  const withRanks = sortOrders.map((order) => {
    const docs = orders[order];
    const ranks = new Uint32Array(docs.length);
    for (let rank = 0; rank < docs.length; rank += 1) ranks[docs[rank]!] = rank;
    return [order, { docs, ranks }];
  });
  // The type of `Object.fromEntries` has no member names; every order has an entry.
  return Object.fromEntries(withRanks) as CatalogIndex["orders"];
}

function wholesOf(facets: FacetColumns, published: Bits): Whole[] {
  const whole = (kind: string | undefined): Whole => {
    const docs = kind === undefined ? published : docsWithAny(facets, published, "kind", [kind]);
    return { kind, docs, counts: new Map() };
  };
  return [undefined, ...(facets.values.get("kind")?.keys() ?? [])].map(whole);
}
