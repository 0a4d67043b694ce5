import type { FacetCode } from "#shared/domain/catalog/card.ts";
import { addBit, emptyBits, keepOnly, type Bits } from "./bits.ts";
import { docsHaving, docsOfKind, type CatalogIndex } from "./catalog-index.ts";

export type Filters = Readonly<Record<string, readonly string[] | undefined>>;

/** The filters of a query. Values of one filter are alternatives; all filters must match. */
export interface Criteria {
  kind?: string | undefined;
  filters?: Filters | undefined;
  price_min?: number | undefined;
  price_max?: number | undefined;
  /** True for cards in stock only; false has no effect. */
  in_stock?: boolean | undefined;
  width_max_mm?: number | undefined;
  depth_max_mm?: number | undefined;
  height_max_mm?: number | undefined;
}

export interface Selection {
  /** The documents that match all filters, apart from `filter`. The set is shared: do not change it. */
  without(filter?: FacetCode | "price"): Bits;
}

/** `matches` holds the documents of a text search, if there was one. */
export function select(index: CatalogIndex, query: Criteria, matches: Bits | undefined): Selection {
  const narrowings: Bits[] = [];
  if (query.in_stock === true) narrowings.push(docsHaving(index, "in_stock", ["yes"]));
  if (matches !== undefined) narrowings.push(matches);
  for (const [measures, max] of [
    [index.widths, query.width_max_mm],
    [index.depths, query.depth_max_mm],
    [index.heights, query.height_max_mm],
  ] as const) {
    if (max !== undefined) narrowings.push(upTo(measures, max));
  }
  const always = intersection(docsOfKind(index, query.kind), narrowings);
  const chosen = new Map<string, Bits>();
  for (const [code, values = []] of Object.entries(query.filters ?? {})) {
    if (values.length > 0) chosen.set(code, docsHaving(index, code, values));
  }
  const { price_min: min = 0, price_max: max = Infinity } = query;
  if (min > 0 || max < Infinity) chosen.set("price", pricedBetween(index, min, max));
  const leave = (filter?: FacetCode | "price") =>
    intersection(
      always,
      Array.from(chosen).flatMap(([code, bits]) => (code === filter ? [] : [bits])),
    );
  const all = leave();
  return {
    without: (filter) => (filter === undefined || !chosen.has(filter) ? all : leave(filter)),
  };
}

/** Returns the same set if nothing narrows it, because counts of whole kinds are memoized by set. */
function intersection(docs: Bits, narrowings: Bits[]): Bits {
  if (narrowings.length === 0) return docs;
  const left = docs.slice();
  for (const bits of narrowings) keepOnly(left, bits);
  return left;
}

/** The documents whose measure is known and at most `max`. */
function upTo(measures: Float64Array, max: number): Bits {
  const small = emptyBits(measures.length);
  for (let doc = 0; doc < measures.length; doc += 1) if (measures[doc]! <= max) addBit(small, doc);
  return small;
}

/** The documents in a price range, which is a contiguous part of the price order. */
export function pricedBetween(index: CatalogIndex, min: number, max: number): Bits {
  const { docs } = index.orders.price;
  const from = firstPlace(docs.length, (place) => index.prices[docs[place]!]! >= min);
  const to = firstPlace(docs.length, (place) => index.prices[docs[place]!]! > max);
  const bits = emptyBits(index.size);
  for (let place = from; place < to; place += 1) addBit(bits, docs[place]!);
  return bits;
}

function firstPlace(size: number, reached: (place: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
