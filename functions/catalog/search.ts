import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { CategoryKind } from "#shared/domain/catalog/category.ts";
import { CardKind, PublicCard } from "#shared/domain/catalog/card.ts";
import { PageResult, PageType } from "#shared/domain/listing/page-entry.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { LimitedString } from "#shared/domain/base/text.ts";
import { numberedMeta, pageLinks } from "#shared/http/paging.ts";
import { anyOf } from "#shared/http/query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { searchCatalog } from "#shared/search/search-catalog.ts";
import { suggestions } from "#shared/search/suggestions.ts";
import { CardListMeta, SofaListQuery, catalogSearch, consistent } from "./card-list.ts";
import { listedIn } from "./listed-category.ts";

const Types = z.enum([...CardKind.options, ...PageType.options]);

const Query = LimitedString(200)
  .trim()
  .min(1)
  .meta({ description: "Search words", example: "grey three-seater couch" });

const hasText = (type: z.output<typeof Types>): boolean =>
  PageType.options.some((one) => one === type);

const SearchQuery = consistent(SofaListQuery.extend({ type: anyOf(Types, "product,sofa") })).refine(
  ({ q, type = [] }) => q !== undefined || !type.some(hasText),
  {
    path: ["type"],
    message: "Pages and interiors are found by words only: send q, or the types product and sofa.",
  },
);

const CardResult = z.object({ type: CardKind, card: PublicCard });
const SearchResult = z.discriminatedUnion("type", [CardResult, PageResult]);

export const searchShop = route({
  method: "GET",
  path: "/search",
  summary: "Search products, sofas, interiors and pages",
  description:
    "One list of products and sofas, with the filters and sorts of both. With `q`, pages and interiors follow, unless " +
    "there is a filter or another sort; up to three come first if only they match all words. A budget in the words, " +
    "such as `sofa under 50000` or `lamp below 5k`, limits the prices. What follows `without` or `not` is left out.",
  access: anyone,
  cache: "public",
  request: { query: SearchQuery },
  response: {
    status: 200,
    data: z.array(SearchResult),
    meta: CardListMeta,
    links: true,
    serialized: true,
  },
  async handle({ query }, shop: Shop<"table" | "indexReader" | "memory">) {
    const { page, per_page, ...search } = catalogSearch(query);
    const catalog = await shop.indexReader.current();
    const { rows, total, ...further } = searchCatalog(catalog, {
      ...search,
      types: query.type ?? Types.options,
      offset: (page - 1) * per_page,
      limit: per_page,
    });
    const paging = numberedMeta(query, total);
    return {
      rows,
      meta: { ...paging, ...further, ...(await listedIn(catalog, query, shop)) },
      links: pageLinks(`${apiPrefix}/search`, query, paging),
    };
  },
});

const Suggestions = z.object({
  queries: z.array(z.string()),
  categories: z.array(
    z.object({
      kind: CategoryKind,
      slug: z.string(),
      name: z.string(),
      count: z.int(),
    }),
  ),
  cards: z.array(PublicCard),
});

export const suggestSearches = route({
  method: "GET",
  path: "/search/suggest",
  summary: "Suggest queries, categories, products and sofas while typing",
  description: "The last word may be unfinished.",
  access: anyone,
  cache: "public",
  request: { query: z.strictObject({ q: Query.meta({ example: "grey so" }) }) },
  response: { status: 200, data: Suggestions },
  async handle({ query: { q } }, { indexReader }: Shop<"indexReader">) {
    return { data: suggestions(await indexReader.current(), q) };
  },
});

export const routes = [searchShop, suggestSearches];
