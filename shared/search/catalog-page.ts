import type { ParsedJson } from "#shared/domain/base/parsed-json.ts";
import type { Facet, PriceRange } from "#shared/domain/catalog/card.ts";
import { addBit, countBits, eachBit, emptyBits, hasBit, listBits, type Bits } from "./bits.ts";
import { rowOfDoc, type CatalogIndex } from "./catalog-index.ts";
import { facetCodes, facetOf, valueCounts } from "./facets.ts";
import type { SortOrder } from "./orders.ts";
import { select, type Criteria, type Selection } from "./selection.ts";
import { maxScore, withSkuMatches } from "./sku-search.ts";
import { stringAt } from "./string-column.ts";
import { searchText } from "./text-search.ts";

/** A query for a catalog page. */
export interface CatalogQuery extends Criteria {
  q?: string | undefined;
  /** Default: by relevance if there is a `q`, otherwise by popularity. */
  sort?: SortOrder | "relevance" | undefined;
  page: number;
  per_page: number;
  /** Whether to count facets and the price range. */
  facets?: boolean | undefined;
}

export interface CatalogPage {
  /** The cards of the page as JSON texts. */
  cards: ParsedJson[];
  total: number;
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
export function catalogPage(index: CatalogIndex, query: CatalogQuery): CatalogPage {
  const match =
    query.q === undefined ? undefined : withSkuMatches(index, query.q, searchText(index, query.q));
  const selection = select(index, query, match?.docs);
  const docs = selection.without();
  const total = countBits(docs);
  const offset = (query.page - 1) * query.per_page;
  const sort = query.sort ?? "relevance";
  const slice = { offset, limit: query.per_page, total };
  const page =
    sort !== "relevance"
      ? inOrder(index, sort, docs, slice)
      : match === undefined
        ? inOrder(index, "popular", docs, slice)
        : byRelevance(index, match.scores, docs, slice);
  const cards = page.map((doc) => cardAt(index, doc));
  if (query.facets !== true) return { cards, total };
  return {
    cards,
    total,
    facets: facetsOf(index, query, selection),
    price_range: priceRange(index, selection.without("price")),
  };
}

function facetsOf(index: CatalogIndex, query: CatalogQuery, selection: Selection): Facet[] {
  const codes = facetCodes(query.kind);
  const together = Map.groupBy(codes, (code) => selection.without(code));
  const counts = new Map(
    Array.from(together, ([docs, alike]) => [...valueCounts(index, docs, alike)]).flat(),
  );
  return codes.flatMap((code) => {
    const facet = facetOf(index, code, counts.get(code)!, query.filters?.[code] ?? []);
    return facet.values.length > 0 ? [facet] : [];
  });
}

/** A card as JSON text. */
export function cardAt(index: CatalogIndex, doc: number): ParsedJson {
  const [segment, row] = rowOfDoc(index, doc);
  // An entry's card has the type `ParsedValue`, so a segment contains only parsed cards.
  return stringAt(segment.cards, row) as ParsedJson;
}

/** The part of a sorted set to return. */
interface Slice {
  readonly offset?: number;
  readonly limit: number;
  /** The size of the set, if the caller has counted it. */
  readonly total?: number;
}

/** Up to `limit` documents of a set, in a sort order. */
export function inOrder(
  index: CatalogIndex,
  order: SortOrder,
  docs: Bits,
  { offset = 0, limit, total = countBits(docs) }: Slice,
): number[] {
  const { docs: ordered, ranks } = index.orders[order];
  if (total * 64 < index.size) {
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

/** By score, then by popularity. Only the scores that the page needs are sorted. */
function byRelevance(
  index: CatalogIndex,
  scores: Uint16Array,
  docs: Bits,
  { offset, limit }: { offset: number; limit: number },
): number[] {
  const counts = new Uint32Array(maxScore + 1);
  eachBit(docs, (doc) => {
    counts[scores[doc]!]! += 1;
  });
  const page: number[] = [];
  let before = 0;
  for (let score = maxScore; score > 0 && page.length < limit; score -= 1) {
    const count = counts[score]!;
    const skip = Math.max(0, offset - before);
    before += count;
    if (skip >= count) continue;
    const level = emptyBits(index.size);
    eachBit(docs, (doc) => {
      if (scores[doc] === score) addBit(level, doc);
    });
    page.push(
      ...inOrder(index, "popular", level, {
        offset: skip,
        limit: limit - page.length,
        total: count,
      }),
    );
  }
  return page;
}

function priceRange(index: CatalogIndex, docs: Bits): PriceRange | null {
  const total = countBits(docs);
  if (total === 0) return null;
  const [cheapest] = inOrder(index, "price", docs, { limit: 1, total });
  const [dearest] = inOrder(index, "-price", docs, { limit: 1, total });
  return { min: index.prices[cheapest!]!, max: index.prices[dearest!]! };
}
