import * as z from "zod";
import { type CatalogQuery, catalogPage } from "#shared/search/catalog-page.ts";
import { publicCard } from "#shared/search/public-card.ts";
import { searchRulesOf, swatchSkusOf, withParents } from "#shared/search/documents.ts";
import { colorGroupOf } from "#shared/search/vocabulary.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import {
  type CardKind,
  Facet,
  FacetCode,
  PriceRange,
  QueryPrice,
} from "#shared/domain/catalog/card.ts";
import { ListedCategory } from "#shared/domain/catalog/category.ts";
import { Code, Slug } from "#shared/domain/base/names.ts";
import { NumberedMeta, NumberedPage, numberedMeta, pageLinks } from "#shared/http/paging.ts";
import { anyOf, flag, wholeNumber } from "#shared/http/query.ts";
import type { SerializedList } from "#shared/http/route.ts";
import { LimitedString } from "#shared/domain/base/text.ts";

const amount = wholeNumber(0, 1_000_000_000_000).optional().meta({ description: "Minor units" });
const measure = wholeNumber(1, 20_000).optional().meta({
  description: "Maximum of the smallest size offered; items that were not measured are left out",
});
const sorts = ["relevance", "newest", "price", "-price", "name", "popular"] as const;

/** Query parameters shared by the lists of products and sofas. */
export const CardListQuery = NumberedPage.extend({
  q: LimitedString(200)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        "Search words; typos, plurals, synonyms, SKUs and budgets are understood. If nothing matches " +
        "all words, the best partial matches are listed",
      example: "teak tabel",
    }),
  category: anyOf(Slug, "accent-chairs"),
  collection: anyOf(Slug, "nilgiri"),
  room: anyOf(Slug, "living-room"),
  style: anyOf(Slug, "mid-century"),
  material: anyOf(Code, "velvet"),
  color: anyOf(Code, "grey,blue"),
  tag: anyOf(Code, "small-space"),
  price_min: amount,
  price_max: amount,
  width_max_mm: measure,
  depth_max_mm: measure,
  height_max_mm: measure,
  in_stock: flag
    .optional()
    .meta({ description: "`true` lists only items that can ship immediately" }),
  sort: z.enum(sorts).optional().meta({
    description: "`relevance` requires `q`. Default: `relevance` with `q`, otherwise `popular`",
  }),
  include: anyOf(z.enum(["facets"]), "facets", {
    description: "Comma-separated; `facets` adds facets and the price range to `meta`",
  }),
});
export type CardListQuery = z.output<typeof CardListQuery> & {
  seats?: number[] | undefined;
};

/** Query parameters of lists with sofas. */
export const SofaListQuery = CardListQuery.extend({
  seats: anyOf(wholeNumber(1, 20), "2,3"),
});

/**
 * Adds the rules that concern two parameters. Each list adds its own parameters first, because zod cannot extend a
 * schema with such rules.
 */
export function consistent<Schema extends z.ZodType<CardListQuery>>(schema: Schema) {
  return schema
    .refine(({ sort, q }) => sort !== "relevance" || q !== undefined, {
      path: ["sort"],
      message: "Sorting by relevance requires the q field.",
    })
    .refine(({ price_min = 0, price_max = Infinity }) => price_min <= price_max, {
      path: ["price_max"],
      message: "The price max field must be at least the price min field.",
    });
}

export const SearchMatch = z.enum(["all", "partial", "none"]).meta({
  description: "Whether results match all words of `q`",
});

export const CardListMeta = NumberedMeta.extend({
  category: ListedCategory.optional().meta({
    description:
      "Only with a filter by a single category, or else by a single collection, room or style",
  }),
  match: SearchMatch.optional(),
  query_price: QueryPrice.optional(),
  facets: z.array(Facet).optional(),
  price_range: PriceRange.nullable().optional(),
});

/**
 * One page of cards as JSON text from the index. The index writer has already dropped undeclared members.
 *
 * @throws AppError `validation_failed` when the page is beyond the last
 */
export function answerCardList<Further extends object>(
  { index, documents }: Catalog,
  { kind, path }: { kind: CardKind; path: string },
  query: CardListQuery,
  furtherMeta: Further,
): SerializedList<z.input<typeof CardListMeta> & Further> {
  const found = catalogPage(index, {
    ...catalogSearch(query),
    kind,
    rules: searchRulesOf(documents),
    otherSkus: swatchSkusOf(documents),
  });
  const { cards, total, match, query_price, facets, price_range } = found;
  const paging = numberedMeta(query, total);
  return {
    rows: cards.map(publicCard),
    meta: {
      ...paging,
      ...(match && { match }),
      ...(query_price && { query_price }),
      ...(facets && { facets: withParents(facets, documents), price_range }),
      ...furtherMeta,
    },
    links: pageLinks(path, query, paging),
  };
}

/** The query in the catalog's terms, without a kind. */
export function catalogSearch(query: CardListQuery): Omit<CatalogQuery, "kind"> {
  const { q, sort, page, per_page, price_min, price_max, in_stock, include, seats } = query;
  const { width_max_mm, depth_max_mm, height_max_mm } = query;
  const filters = Object.fromEntries(
    FacetCode.options.flatMap((code) =>
      code !== "seats" && query[code] ? [[code, query[code]]] : [],
    ),
  );
  return {
    filters: {
      ...filters,
      ...(query.color && { color: query.color.map(colorGroupOf) }),
      ...(seats && { seats: seats.map(String) }),
    },
    q,
    sort,
    page,
    per_page,
    price_min,
    price_max,
    in_stock,
    width_max_mm,
    depth_max_mm,
    height_max_mm,
    facets: include?.includes("facets") ?? false,
  };
}
