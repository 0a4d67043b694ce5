import type { ParsedJson } from "#shared/domain/base/parsed-json.ts";
import type {
  CardKind,
  Facet,
  FacetCode,
  PriceRange,
  QueryPrice,
} from "#shared/domain/catalog/card.ts";
import { cardAt, cardOf } from "./card-text.ts";
import {
  type Listed,
  variantCounts,
  swatchOfVariant,
  variantFacets,
  variantWithSwatch,
  withVariant,
} from "./card-variants.ts";
import { addBit, countBits, emptyBits, hasBit, listBits, type Bits } from "./bits.ts";
import { docsHaving, docsOfKind, rowOfDoc, type CatalogIndex } from "./catalog-index.ts";
import { facetCodes, facetOf, valueCounts } from "./facets.ts";
import type { SortOrder } from "./orders.ts";
import { priceIn, type PricedMatch, pricedMatch } from "./priced-match.ts";
import { select, type Criteria, type Filters, type Selection } from "./selection.ts";
import { beginsSku, isKnownSku, withSkuMatches } from "./sku-search.ts";
import { kindOfRow } from "./segment.ts";
import { inLook, lookWithSwatch, namedLook, swatchOf, type Meaning } from "./looks.ts";
import { stringAt } from "./string-column.ts";
import { searchText, type MatchLevel, type TextMatch } from "./text-search.ts";
import { inWords } from "#shared/domain/base/names.ts";
import { termsOf } from "./words.ts";
import { boostLevel, boosted, noRules, withoutHidden, type SearchRules } from "./search-rules.ts";

/** Filters, words and order of a list. */
export interface CatalogSearch extends Criteria {
  q?: string | undefined;
  /** Default: by relevance if there is a `q`, otherwise by popularity. */
  sort?: SortOrder | "relevance" | undefined;
  /** Whether to count facets and the price range. */
  facets?: boolean | undefined;
  /** The rules with which staff steer search; used only if there is a `q`. */
  rules?: SearchRules | undefined;
  /** The SKUs of items without a card. A search for one of them finds no cards by parts of the SKU. */
  otherSkus?: ReadonlySet<string> | undefined;
}

/** A query for a catalog page. */
export interface CatalogQuery extends CatalogSearch {
  page: number;
  per_page: number;
}

export interface CatalogPage {
  /** The cards as JSON texts. */
  cards: ParsedJson[];
  kinds: CardKind[];
  total: number;
  /** How well the cards match `q`; undefined without one. */
  match?: MatchLevel;
  /** The price that the words of `q` name, such as "under 5000". */
  query_price?: QueryPrice;
  /**
   * The counts of a facet ignore the filter on that facet. The most frequent values come first. Undefined unless
   * requested.
   */
  facets?: Facet[];
  /**
   * The lowest and highest price of the cards that match all filters except the price filter; null if there are none.
   */
  price_range?: PriceRange | null;
}

/** Filters, searches and sorts the catalog, and returns one page. */
export function catalogPage(
  index: CatalogIndex,
  { page, per_page, ...query }: CatalogQuery,
): CatalogPage {
  return catalogPart(index, { ...query, offset: (page - 1) * per_page, limit: per_page });
}

/** Filters, searches and sorts the catalog, and returns `limit` cards from `offset` on. */
export function catalogPart(
  index: CatalogIndex,
  { offset, limit, ...query }: CatalogSearch & { offset: number; limit: number },
): CatalogPage {
  const match = query.q === undefined ? undefined : matchesOf(index, query.q, query);
  const selection = select(index, query, match && { variants: undefined, ...match });
  const shown = selection.without();
  const { docs } = shown;
  const total = countBits(docs);
  const sort = query.sort ?? "relevance";
  const slice = { offset, limit, total };
  const page =
    sort !== "relevance"
      ? inAnyOrder(index, sort, shown, slice)
      : match === undefined
        ? inOrder(index, "popular", docs, slice)
        : byRelevance(index, match.levels, docs, slice);
  const named = { words: match?.meanings, filters: namedByFilters(query.filters) };
  const cards = page.map((doc) => shownCard(index, doc, shown, named));
  const kinds = page.map((doc) => kindOfRow(...rowOfDoc(index, doc)));
  const found = {
    cards,
    kinds,
    total,
    ...(match && { match: match.match }),
    ...(match?.price && { query_price: match.price }),
  };
  if (query.facets !== true) return found;
  return {
    ...found,
    facets: facetsOf(index, query, selection),
    price_range: priceRange(index, selection.without("price")),
  };
}

interface Matches extends PricedMatch {
  price?: QueryPrice;
}

/**
 * Whether a query is read in two ways, as a price and as the beginning of a SKU, which takes two searches instead of one.
 */
export const isPriceOrSku = (
  index: CatalogIndex,
  q: string,
  { otherSkus = noSkus }: Pick<CatalogSearch, "otherSkus">,
): boolean => priceIn(index, q) !== undefined && isSkuIn(index, q, otherSkus);

const isSkuIn = (index: CatalogIndex, q: string, otherSkus: ReadonlySet<string>): boolean =>
  beginsSku(index, q) || isKnownSku(index, q, otherSkus);

/** The cards that match a query. A price in the query is no word of it: cards in its range come alone or, if none is, the nearest first. */
export function matchesOf(index: CatalogIndex, q: string, scope: MatchScope): Matches {
  const named = priceIn(index, q);
  if (named === undefined) return wordMatches(index, q, scope);
  const { price, rest, isSure } = named;
  const isSku = isSkuIn(index, q, scope.otherSkus ?? noSkus);
  if ((!isSure && rest === "") || isSku) {
    const match = wordMatches(index, q, scope);
    if (match.match === "all") return match;
  }
  const match = rest === "" ? undefined : wordMatches(index, rest, scope);
  const within = withoutHidden(index, docsOfKind(index, scope.kind), scope.rules ?? noRules);
  return { ...pricedMatch(index, match, { price, within }), price };
}

type MatchScope = Pick<CatalogSearch, "kind" | "rules" | "otherSkus">;

function wordMatches(
  index: CatalogIndex,
  q: string,
  { kind, rules = noRules, otherSkus = noSkus }: MatchScope,
): TextMatch {
  const within = withoutHidden(index, docsOfKind(index, kind), rules);
  const soldOut = docsHaving(index, "sold_out", ["yes"]);
  const text = searchText(index, q, { within, soldOut, synonyms: rules.synonyms });
  const found = withSkuMatches(index, q, text, { within, otherSkus });
  return boosted(index, q, found, { boosts: rules.boosts, within });
}

const noSkus: ReadonlySet<string> = new Set();

function facetsOf(index: CatalogIndex, query: CatalogSearch, selection: Selection): Facet[] {
  const codes = facetCodes(query.kind);
  const together = Map.groupBy(codes, (code) => selection.without(code));
  const counts = new Map(
    Array.from(together, ([shown, alike]) => [...countsOf(index, shown, alike)]).flat(),
  );
  return codes.flatMap((code) => {
    const facet = facetOf(index, code, counts.get(code)!, query.filters?.[code] ?? []);
    return facet.values.length > 0 ? [facet] : [];
  });
}

/** Of a card of which some variants answer, only their values count. */
function countsOf(index: CatalogIndex, shown: Listed, codes: readonly FacetCode[]) {
  const ofVariants =
    shown.variants === undefined ? [] : variantFacets.filter((code) => codes.includes(code));
  const ofCards = codes.filter((code) => !ofVariants.some((one) => one === code));
  const counts = new Map(valueCounts(index, shown.docs, ofCards));
  for (const code of ofVariants) counts.set(code, variantCounts(index, shown, code));
  return counts;
}

interface Named {
  /** What the words of the query may mean; undefined without words. */
  readonly words: TextMatch["meanings"] | undefined;
  /** What the filters on colours and materials name. */
  readonly filters: TextMatch["meanings"];
}

/** A card with the variant that answers the filters, in the colour or material that the query or else a filter names. */
function shownCard(
  index: CatalogIndex,
  doc: number,
  shown: Listed,
  { words, filters }: Named,
): ParsedJson {
  const text = cardAt(index, doc);
  const [segment, row] = rowOfDoc(index, doc);
  const looks = stringAt(segment.looks, row);
  const ofWords = words && namedLook(looks, words);
  if (ofWords === undefined && shown.variants === undefined) return text;
  const card = cardOf(text);
  const inNamedLook = ofWords && variantWithSwatch(index, shown, doc, swatchOf(ofWords));
  const variant = inNamedLook ?? (shown.variants && shown.first[doc]);
  const swatch = variant === undefined ? undefined : swatchOfVariant(index, variant);
  const look = ofWords ?? (swatch ? lookWithSwatch(looks, swatch) : namedLook(looks, filters));
  const looked = look ? inLook(card, look) : card;
  const result =
    variant === undefined
      ? looked
      : { ...withVariant(index, card, variant), swatches: looked.swatches };
  // These functions only rearrange members of parsed cards.
  return JSON.stringify(result) as ParsedJson;
}

/** The chosen colours and materials as meanings, each filter as one part of a query. */
const namedByFilters = (filters: Filters = {}): Meaning[][] =>
  variantFacets.flatMap((code) => {
    const values = filters[code] ?? [];
    return values.length > 0
      ? [values.map((value) => ({ words: [...termsOf(inWords(value))], closeness: 1 }))]
      : [];
  });

/** The part of a sorted set to return. */
interface Slice {
  readonly offset?: number;
  readonly limit: number;
  /** The size of the set, if the caller has counted it. */
  readonly total?: number;
}

/** Up to `limit` cards of a list, in a sort order. By price, each is sorted by the variant that it shows. */
function inAnyOrder(
  index: CatalogIndex,
  order: SortOrder,
  { docs, first }: Listed,
  slice: Slice,
): number[] {
  if (order !== "price" && order !== "-price") return inOrder(index, order, docs, slice);
  const shown = emptyBits(index.variants.docs.length);
  const all = listBits(docs, slice.total);
  for (let at = 0; at < all.length; at += 1) addBit(shown, first[all[at]!]!);
  return inOrder(index, order, shown, slice).map((variant) => index.variants.docs[variant]!);
}

/** Up to `limit` documents, by price variants, of a set, in a sort order. */
export function inOrder(
  index: CatalogIndex,
  order: SortOrder,
  docs: Bits,
  { offset = 0, limit, total = countBits(docs) }: Slice,
): number[] {
  const { docs: ordered, ranks } = index.orders[order];
  if (total * 64 < ordered.length) {
    // For a small set, sorting is cheaper than scanning the whole order.
    const places = listBits(docs, total).map((doc) => ranks[doc]!);
    return Array.from(places.sort().subarray(offset, offset + limit), (place) => ordered[place]!);
  }
  const page: number[] = [];
  let skip = offset;
  for (let place = 0; place < ordered.length && page.length < limit; place += 1) {
    const doc = ordered[place]!;
    if (!hasBit(docs, doc)) continue;
    if (skip > 0) skip -= 1;
    else page.push(doc);
  }
  return page;
}

/** One page of documents, by level and then by popularity. Only the levels that the page needs are sorted. */
export function byRelevance(
  index: CatalogIndex,
  levels: Uint16Array,
  docs: Bits,
  { offset, limit, total }: { offset: number; limit: number; total: number },
): number[] {
  const counts = new Uint32Array(boostLevel + 1);
  const all = listBits(docs, total);
  for (let at = 0; at < all.length; at += 1) counts[levels[all[at]!]!]! += 1;
  // The documents above level `last` belong to this page or earlier pages, so all of them are sorted.
  let last = boostLevel;
  let before = 0;
  while (last > 0 && before + counts[last]! < offset + limit) {
    before += counts[last]!;
    last -= 1;
  }
  const above: number[] = [];
  const level = emptyBits(index.size);
  for (let at = 0; at < all.length; at += 1) {
    const doc = all[at]!;
    if (levels[doc]! > last) above.push(doc);
    else if (levels[doc] === last) addBit(level, doc);
  }
  const { ranks } = index.orders.popular;
  above.sort((one, other) => levels[other]! - levels[one]! || ranks[one]! - ranks[other]!);
  const skip = Math.max(0, offset - before);
  const page = above.slice(offset, offset + limit);
  const rest = { offset: skip, limit: limit - page.length, total: counts[last]! };
  return [...page, ...inOrder(index, "popular", level, rest)];
}

/** The lowest and highest price that the cards of a list show. */
function priceRange({ variants }: CatalogIndex, { docs, first }: Listed): PriceRange | null {
  let min = Infinity;
  let max = -Infinity;
  const all = listBits(docs);
  for (let at = 0; at < all.length; at += 1) {
    const price = variants.prices[first[all[at]!]!]!;
    if (price < min) min = price;
    if (price > max) max = price;
  }
  return all.length === 0 ? null : { min, max };
}
