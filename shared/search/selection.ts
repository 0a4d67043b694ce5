import type { FacetCode } from "#shared/domain/catalog/card.ts";
import { addBit, emptyBits, fullBits, keepOnly, type Bits } from "./bits.ts";
import { type Listed, listed, variantFacets } from "./card-variants.ts";
import { docsWithAny } from "./facet-columns.ts";
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
  /** The cards that match all filters, apart from `filter`. The sets are shared: do not change them. */
  without(filter?: FacetCode | "price"): Listed;
}

/**
 * The cards that match a query. The filters that variants answer must be answered by one variant of the card.
 *
 * @param matches the cards of a text search, if there was one
 */
export function select(
  index: CatalogIndex,
  query: Criteria,
  matches: Pick<Listed, "docs" | "variants"> | undefined,
): Selection {
  const ofVariants = index.variants;
  const narrowings: Bits[] = [];
  if (matches !== undefined) narrowings.push(matches.docs);
  for (const [measures, max] of [
    [index.widths, query.width_max_mm],
    [index.depths, query.depth_max_mm],
    [index.heights, query.height_max_mm],
  ] as const) {
    if (max !== undefined) narrowings.push(upTo(measures, max));
  }
  const always = intersection(docsOfKind(index, query.kind), narrowings);
  const chosen = new Map<string, Bits>();
  const answers = new Map<string, Bits>();
  if (matches?.variants !== undefined) answers.set("q", matches.variants);
  if (query.in_stock === true)
    answers.set("in_stock", variantsHaving(ofVariants, "in_stock", ["yes"]));
  for (const [code, values = []] of Object.entries(query.filters ?? {})) {
    if (values.length === 0) continue;
    const isOfVariants = variantFacets.some((one) => one === code);
    if (isOfVariants) answers.set(code, variantsHaving(ofVariants, code, values));
    else chosen.set(code, docsHaving(index, code, values));
  }
  const { price_min: min = 0, price_max: max = Infinity } = query;
  if (min > 0 || max < Infinity) answers.set("price", pricedBetween(index, min, max));
  const leave = (filter?: FacetCode | "price") => {
    const rest = (sets: ReadonlyMap<string, Bits>) =>
      Array.from(sets).flatMap(([code, bits]) => (code === filter ? [] : [bits]));
    const [first, ...others] = rest(answers);
    return listed(index, intersection(always, rest(chosen)), first && intersection(first, others));
  };
  const all = leave();
  return {
    without: (filter) =>
      filter === undefined || !(chosen.has(filter) || answers.has(filter)) ? all : leave(filter),
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

/** The variants in a price range, which is a contiguous part of the price order. */
export function pricedBetween({ orders, variants }: CatalogIndex, min: number, max: number): Bits {
  const { docs: ordered } = orders.price;
  const from = firstPlace(ordered.length, (place) => variants.prices[ordered[place]!]! >= min);
  const to = firstPlace(ordered.length, (place) => variants.prices[ordered[place]!]! > max);
  const bits = emptyBits(ordered.length);
  for (let place = from; place < to; place += 1) addBit(bits, ordered[place]!);
  return bits;
}

/** The variants with any of these values. */
function variantsHaving(
  { facets, docs }: CatalogIndex["variants"],
  code: string,
  values: readonly string[],
): Bits {
  return docsWithAny(facets, fullBits(docs.length), code, values);
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
