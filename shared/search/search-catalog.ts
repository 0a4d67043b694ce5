import { type ParsedJson, parsedBy, parsedJson } from "#shared/domain/base/parsed-json.ts";
import { PageResult, PageType } from "#shared/domain/listing/page-entry.ts";
import { CardKind } from "#shared/domain/catalog/card.ts";
import { type CatalogPage, type CatalogSearch, catalogPart } from "./catalog-page.ts";
import { pagesOf, searchRulesOf, swatchSkusOf, withParents } from "./documents.ts";
import type { Catalog } from "./load-catalog.ts";
import { type FoundPages, searchPages } from "./page-search.ts";
import { publicCard } from "./public-card.ts";
import { isKnownSku } from "./sku-search.ts";
import type { MatchLevel } from "./text-search.ts";

export type SearchType = CardKind | PageType;

/** Words, filters and order of a list. Filters and orders are those of cards; without `q` only cards are listed. */
export interface Search extends Omit<CatalogSearch, "kind" | "rules" | "otherSkus"> {
  types: readonly SearchType[];
  offset: number;
  limit: number;
}

export interface SearchPart extends Pick<CatalogPage, "facets" | "price_range" | "query_price"> {
  /** JSON texts of `{type, card}` or `{type, page}`. */
  rows: ParsedJson[];
  total: number;
  /** Undefined without `q`. */
  match?: MatchLevel;
}

type Slice = Pick<Search, "offset" | "limit">;
type WordSearch = Pick<Search, "types"> & { readonly q: string };

/** The number of pages before cards that match only some of the words, so that no page of text hides goods. */
const pagesFirst = 3;

/**
 * One list of cards and pages. Cards come before pages. If only pages match all words, a few of them come first. Partially
 * matching pages are listed only if there are no cards.
 */
export function searchCatalog(catalog: Catalog, search: Search): SearchPart {
  const cards = foundCards(catalog, search);
  const { q } = search;
  if (q === undefined || !isByWordsAlone(search)) return cards;
  const pages = pagesBesideSkus(catalog, { ...search, q });
  if (pages.match !== "all") {
    if (cards.total > 0) return cards;
    const { facets, price_range } = cards;
    return {
      rows: pageRows(pages, search),
      total: pages.pages.length,
      match: pages.match,
      ...(facets && price_range !== undefined && { facets, price_range }),
    };
  }
  const before = cards.match === "all" ? 0 : Math.min(pagesFirst, pages.pages.length);
  const first = pageRows(pages, {
    offset: search.offset,
    limit: Math.min(search.limit, before - search.offset),
  });
  const following = { offset: search.offset - before, limit: search.limit - first.length };
  const shown = before === 0 ? cards : foundCards(catalog, { ...search, ...fromStart(following) });
  const last = pageRows(pages, {
    offset: before + Math.max(0, following.offset - cards.total),
    limit: following.limit - shown.rows.length,
  });
  return {
    ...shown,
    rows: [...first, ...shown.rows, ...last],
    total: cards.total + pages.pages.length,
    match: "all",
  };
}

const fromStart = ({ offset, limit }: Slice): Slice => ({ offset: Math.max(0, offset), limit });

/** Whether a search has no filter and the order of relevance. Pages answer no filter and no other order. */
function isByWordsAlone({ filters = {}, sort = "relevance", ...search }: Search): boolean {
  const { price_min, price_max, width_max_mm, depth_max_mm, height_max_mm, in_stock } = search;
  const limits = [price_min, price_max, width_max_mm, depth_max_mm, height_max_mm];
  return (
    sort === "relevance" &&
    in_stock !== true &&
    limits.every((limit) => limit === undefined) &&
    Object.values(filters).every((values = []) => values.length === 0)
  );
}

function foundCards(
  { index, documents }: Catalog,
  { types, offset, limit, ...search }: Search,
): SearchPart {
  const kinds = CardKind.options.filter((kind) => types.includes(kind));
  if (kinds.length === 0)
    return { rows: [], total: 0, ...(search.q !== undefined && { match: "none" }) };
  const {
    cards,
    kinds: kindsOfCards,
    ...found
  } = catalogPart(index, {
    ...search,
    kind: kinds.length === 1 ? kinds[0] : undefined,
    offset,
    limit,
    rules: searchRulesOf(documents),
    otherSkus: swatchSkusOf(documents),
  });
  // The row is made of a parsed card and its kind.
  const rows = cards.map(
    (card, at) => `{"type":"${kindsOfCards[at]}","card":${publicCard(card)}}` as ParsedJson,
  );
  const { facets } = found;
  return { ...found, rows, ...(facets && { facets: withParents(facets, documents) }) };
}

/** The pages that match. A query that is a SKU finds no page by only a part of the SKU. */
function pagesBesideSkus(catalog: Catalog, search: WordSearch): FoundPages {
  const pages = foundPages(catalog, search);
  const { index, documents } = catalog;
  return pages.match === "partial" && isKnownSku(index, search.q, swatchSkusOf(documents))
    ? { pages: [], match: "none" }
    : pages;
}

function foundPages({ documents }: Catalog, { q, types }: WordSearch): FoundPages {
  const kinds = PageType.options.filter((type) => types.includes(type));
  const { synonyms } = searchRulesOf(documents);
  return kinds.length === 0
    ? { pages: [], match: "none" }
    : searchPages(pagesOf(documents), q, {
        type: kinds.length === 1 ? kinds[0] : undefined,
        synonyms,
      });
}

const pageRows = ({ pages }: FoundPages, { offset, limit }: Slice): ParsedJson[] =>
  pages
    .slice(offset, Math.max(offset, offset + limit))
    .map(({ type, teaser }) => parsedJson(parsedBy(PageResult, { type, page: teaser })));
