import { type ParsedJson, parsedBy, parsedJson } from "#shared/domain/base/parsed-json.ts";
import { PageResult, PageType } from "#shared/domain/listing/page-entry.ts";
import { CardKind } from "#shared/domain/catalog/card.ts";
import { type CatalogPage, catalogPart } from "./catalog-page.ts";
import { pagesOf, searchRulesOf, swatchSkusOf } from "./documents.ts";
import type { Catalog } from "./load-catalog.ts";
import { type FoundPages, searchPages } from "./page-search.ts";
import { isKnownSku } from "./sku-search.ts";
import type { MatchLevel } from "./text-search.ts";

export type SearchType = CardKind | PageType;

export interface Search {
  q: string;
  types: readonly SearchType[];
  offset: number;
  limit: number;
  facets: boolean;
}

export interface SearchPart extends Pick<CatalogPage, "facets" | "price_range" | "query_price"> {
  /** JSON texts of `{type, card}` or `{type, page}`. */
  rows: ParsedJson[];
  total: number;
  match: MatchLevel;
}

type Slice = Pick<Search, "offset" | "limit">;

/**
 * One list of cards and pages. Cards come before pages, unless only pages match all words; cards that match some words
 * follow then, so that no page hides goods. Partially matching pages are listed only if there are no cards.
 */
export function searchCatalog(catalog: Catalog, search: Search): SearchPart {
  const pages = pagesBesideSkus(catalog, search);
  const cards = foundCards(catalog, search);
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
  const counts = { cards: cards.total, pages: pages.pages.length };
  const total = counts.cards + counts.pages;
  if (cards.match === "all" || cards.total === 0) {
    const rest = {
      offset: Math.max(0, search.offset - counts.cards),
      limit: search.limit - cards.rows.length,
    };
    return { ...cards, rows: [...cards.rows, ...pageRows(pages, rest)], total, match: "all" };
  }
  const first = pageRows(pages, search);
  const rest = {
    offset: Math.max(0, search.offset - counts.pages),
    limit: search.limit - first.length,
  };
  const after = foundCards(catalog, { ...search, ...rest });
  return { ...after, rows: [...first, ...after.rows], total, match: "all" };
}

function foundCards(
  { index, documents }: Catalog,
  { q, types, offset, limit, facets: isWithFacets }: Search,
): SearchPart {
  const kinds = CardKind.options.filter((kind) => types.includes(kind));
  if (kinds.length === 0) return { rows: [], total: 0, match: "none" };
  const {
    cards,
    match,
    kinds: kindsOfCards,
    ...found
  } = catalogPart(index, {
    q,
    kind: kinds.length === 1 ? kinds[0] : undefined,
    offset,
    limit,
    facets: isWithFacets,
    rules: searchRulesOf(documents),
    otherSkus: swatchSkusOf(documents),
  });
  // The row is made of a parsed card and its kind.
  const rows = cards.map(
    (card, at) => `{"type":"${kindsOfCards[at]}","card":${card}}` as ParsedJson,
  );
  return { ...found, rows, match: match ?? "none" };
}

/** The pages that match. A query that is a SKU finds no page by only a part of the SKU. */
function pagesBesideSkus(catalog: Catalog, search: Search): FoundPages {
  const pages = foundPages(catalog, search);
  const { index, documents } = catalog;
  return pages.match === "partial" && isKnownSku(index, search.q, swatchSkusOf(documents))
    ? { pages: [], match: "none" }
    : pages;
}

function foundPages({ documents }: Catalog, { q, types }: Search): FoundPages {
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
    .slice(offset, offset + limit)
    .map(({ type, teaser }) => parsedJson(parsedBy(PageResult, { type, page: teaser })));
