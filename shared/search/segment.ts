import { namesOf } from "#shared/domain/base/members.ts";
import { type ParsedValue, parsedJson } from "#shared/domain/base/parsed-json.ts";
import type {
  CardKind,
  CardVariant,
  FacetCode,
  FacetLabel,
  Look,
  SearchText,
} from "#shared/domain/catalog/card.ts";
import { docsOfVariants, type VariantRow, variantRows } from "./card-variants.ts";
import { type ShownCard, storedLooks } from "./looks.ts";
import { ordersOf, type SortOrders, type Sorted } from "./orders.ts";
import { skuOrderOf } from "./sku-order.ts";
import { postingsDraft, termRow, type Postings } from "./postings.ts";
import { lowerBound, stringAt, stringColumn, type StringColumn } from "./string-column.ts";
import { lettersOf } from "./typos.ts";
import { normalizeText } from "../domain/base/normalized-words.ts";
import { bitOf, textFields } from "./text-fields.ts";
import { termsOf } from "./words.ts";

export type Labels = Partial<Record<FacetCode, Record<string, FacetLabel>>>;

/** One row of an index, such as a CatalogEntry: what lists show, filter, sort and search. */
export interface IndexEntry {
  card: ParsedValue<
    { id: string; kind: string; slug: string; name: string; price: number | null } & ShownCard
  >;
  /** The row's values, keyed by filter. */
  facets: Readonly<Record<string, readonly string[]>>;
  labels?: Labels | undefined;
  seats: readonly number[];
  width_mm: number | null;
  depth_mm: number | null;
  height_mm: number | null;
  in_stock: boolean;
  sold_out: boolean;
  /** The sort key of `newest`. */
  published_at: string;
  popularity: number;
  related_ids: readonly string[];
  skus: readonly string[];
  variants: readonly CardVariant[];
  text: Readonly<SearchText>;
  looks: readonly Look[];
}

/**
 * Cards as columns, stored in a form that is read without unpacking. A segment is immutable: later changes form a
 * second segment, see catalog-index.ts.
 */
export interface Segment {
  size: number;
  /** One card each, as the JSON that responses contain. Stored cards contain addresses instead of media URLs. */
  cards: StringColumn;
  ids: StringColumn;
  /** `kind/slug`. */
  addresses: StringColumn;
  /** Normalized, for sorting. */
  names: StringColumn;
  /** JSON lists of strings. */
  skus: StringColumn;
  /** Every SKU in sort order: its document and its position in the document's `skus`, see sku-order.ts. */
  skuOrder: Uint32Array<ArrayBuffer>;
  picks: StringColumn;
  /** JSON, see looks.ts. Stored looks contain addresses, too. */
  looks: StringColumn;
  /** The start of each card's variants, with one entry more at the end. */
  variantStarts: Uint32Array<ArrayBuffer>;
  variantPrices: Float64Array<ArrayBuffer>;
  /** What each variant shows, see card-variants.ts. Stored ones contain addresses, too. */
  shownVariants: StringColumn;
  /** Terms `material:value`, `color:value` and `in_stock:yes`. */
  variantFacets: Postings;
  /** Milliseconds since 1970. */
  published: Float64Array<ArrayBuffer>;
  popularity: Float64Array<ArrayBuffer>;
  /** Measures in mm, Infinity if unknown. */
  widths: Float64Array<ArrayBuffer>;
  depths: Float64Array<ArrayBuffer>;
  heights: Float64Array<ArrayBuffer>;
  orders: SortOrders;
  idOrder: Uint32Array<ArrayBuffer>;
  addressOrder: Uint32Array<ArrayBuffer>;
  /** Terms are `code:value`, see `facetsOf`. */
  facets: Postings;
  text: Postings;
  /** Parallel to the terms of `text`: the letters of each, see typos.ts. */
  letters: Uint32Array<ArrayBuffer>;
  labels: Labels;
}

export interface SegmentRow {
  card: string;
  id: string;
  address: string;
  name: string;
  skus: string;
  picks: string;
  looks: string;
  variants: readonly VariantRow[];
  published: number;
  popularity: number;
  width: number;
  depth: number;
  height: number;
}

/** Collects rows and postings until `finish`. */
export function segmentDraft() {
  const rows: SegmentRow[] = [];
  const facets = postingsDraft();
  const text = postingsDraft();
  const variantFacets = postingsDraft();
  const labels: Labels = {};
  return {
    rows,
    facets,
    text,
    variantFacets,
    label: (more: Labels) => addLabels(labels, more),
    finish: (): Segment => {
      const terms = facets.finish();
      return finish(rows, {
        facets: terms,
        text: text.finish(),
        variantFacets: variantFacets.finish(),
        labels: usedLabels(labels, terms),
      });
    },
  };
}

/** Builds a segment of entries; their ids must be distinct. */
export function segmentOf(entries: Iterable<IndexEntry>): Segment {
  const draft = segmentDraft();
  let variants = 0;
  for (const entry of entries) {
    const doc = draft.rows.length;
    const ofEntry = [...variantRows(entry)];
    draft.rows.push(
      rowOf(
        entry,
        ofEntry.map(([variant]) => variant),
      ),
    );
    for (const [, terms] of ofEntry) {
      for (const term of terms) draft.variantFacets.add(term, variants, 1);
      variants += 1;
    }
    for (const term of facetsOf(entry)) draft.facets.add(term, doc, 1);
    for (const field of textFields) {
      for (const term of termsOf(entry.text[field])) draft.text.add(term, doc, bitOf(field));
    }
    if (entry.labels !== undefined) draft.label(entry.labels);
  }
  return draft.finish();
}

export const emptySegment = segmentOf([]);

/** Merges labels; the later of two wins. */
export function addLabels(labels: Labels, more: Labels): void {
  for (const code of namesOf(more)) {
    labels[code] = { ...labels[code], ...more[code] };
  }
}

/** The labels of values that some card has, so that labels of removed values do not accumulate. */
function usedLabels(labels: Labels, facets: Postings): Labels {
  const used: Labels = {};
  for (const code of namesOf(labels)) {
    const kept = Object.entries(labels[code] ?? {}).filter(
      ([value]) => termRow(facets, `${code}:${value}`) >= 0,
    );
    if (kept.length > 0) used[code] = Object.fromEntries(kept);
  }
  return used;
}

/** The row of this id, or -1. */
export function rowOfId(segment: Segment, id: string): number {
  return lookUp(segment.idOrder, segment.ids, id);
}

/** The row of this `kind/slug`, or -1. */
export function rowOfAddress(segment: Segment, address: string): number {
  return lookUp(segment.addressOrder, segment.addresses, address);
}

export function kindOfRow(segment: Segment, row: number): CardKind {
  return stringAt(segment.addresses, row).startsWith("sofa/") ? "sofa" : "product";
}

export function slugOfRow(segment: Segment, row: number): string {
  const address = stringAt(segment.addresses, row);
  return address.slice(address.indexOf("/") + 1);
}

function lookUp(order: Uint32Array, column: StringColumn, wanted: string): number {
  const at = (position: number) => stringAt(column, order[position]!);
  const position = lowerBound(order.length, at, wanted);
  return position < order.length && at(position) === wanted ? order[position]! : -1;
}

function rowOf({ card, ...entry }: IndexEntry, variants: readonly VariantRow[]): SegmentRow {
  return {
    card: parsedJson(card),
    id: card.id,
    address: `${card.kind}/${card.slug}`,
    name: normalizeText(card.name),
    skus: JSON.stringify(entry.skus),
    picks: JSON.stringify(entry.related_ids),
    looks: storedLooks(entry.looks, card),
    variants,
    published: Date.parse(entry.published_at),
    popularity: entry.popularity,
    width: entry.width_mm ?? Infinity,
    depth: entry.depth_mm ?? Infinity,
    height: entry.height_mm ?? Infinity,
  };
}

function* facetsOf(entry: IndexEntry): Generator<string> {
  yield `kind:${entry.card.kind}`;
  if (entry.in_stock) yield "in_stock:yes";
  if (entry.sold_out) yield "sold_out:yes";
  for (const [code, values] of Object.entries(entry.facets)) {
    for (const value of values) yield `${code}:${value}`;
  }
  for (const seats of entry.seats) yield `seats:${seats}`;
}

function finish(
  rows: SegmentRow[],
  parts: Pick<Segment, "facets" | "text" | "variantFacets" | "labels">,
): Segment {
  const published = Float64Array.from(rows, (row) => row.published);
  const popularity = Float64Array.from(rows, (row) => row.popularity);
  const skus = stringColumn(rows.map((row) => row.skus));
  const variants = rows.flatMap((row) => row.variants);
  const variantStarts = new Uint32Array(rows.length + 1);
  rows.forEach((row, at) => {
    variantStarts[at + 1] = variantStarts[at]! + row.variants.length;
  });
  const columns = {
    size: rows.length,
    ids: stringColumn(rows.map((row) => row.id)),
    names: stringColumn(rows.map((row) => row.name)),
    published,
    popularity,
    variantStarts,
    variantPrices: Float64Array.from(variants, ({ price }) => price),
  };
  const sizes = { cards: rows.length, variants: variants.length };
  return {
    ...columns,
    ...parts,
    cards: stringColumn(rows.map((row) => row.card)),
    addresses: stringColumn(rows.map((row) => row.address)),
    skus,
    skuOrder: skuOrderOf(skus),
    picks: stringColumn(rows.map((row) => row.picks)),
    looks: stringColumn(rows.map((row) => row.looks)),
    shownVariants: stringColumn(variants.map(({ shown }) => shown)),
    widths: Float64Array.from(rows, (row) => row.width),
    depths: Float64Array.from(rows, (row) => row.depth),
    heights: Float64Array.from(rows, (row) => row.height),
    orders: ordersOf(sortable(columns), sizes),
    idOrder: orderBy(rows, (row) => row.id),
    addressOrder: orderBy(rows, (row) => row.address),
    letters: lettersOf(parts.text),
  };
}

type Keys = Pick<
  Segment,
  "size" | "ids" | "names" | "published" | "popularity" | "variantStarts" | "variantPrices"
>;

/** The sort keys of a segment's cards and variants. */
export function sortable(segment: Keys): Sorted {
  const { published, popularity, variantPrices } = segment;
  const name = (row: number) => stringAt(segment.names, row);
  const id = (row: number) => stringAt(segment.ids, row);
  const docs = docsOfVariants(segment);
  return {
    cards: { prices: [], published, popularity, name, id },
    variants: {
      prices: variantPrices,
      published: [],
      popularity: Float64Array.from(docs, (doc) => popularity[doc]!),
      name: (variant) => name(docs[variant]!),
      id: (variant) => id(docs[variant]!),
    },
  };
}

function orderBy(rows: SegmentRow[], key: (row: SegmentRow) => string): Uint32Array<ArrayBuffer> {
  const keys = rows.map(key);
  return Uint32Array.from(keys.keys()).sort((i, j) => (keys[i]! < keys[j]! ? -1 : 1));
}
