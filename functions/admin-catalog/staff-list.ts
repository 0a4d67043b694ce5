import type { Shop } from "#shared/application/shop.ts";
import { namesOf } from "#shared/domain/base/members.ts";
import * as z from "zod";
import { type CatalogPage, catalogPage } from "#shared/search/catalog-page.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { type SearchRules, memoizedRules, noRules } from "#shared/search/search-rules.ts";
import type { SortOrder } from "#shared/search/orders.ts";
import { type Category, withDescendants } from "#shared/domain/catalog/category.ts";
import { Code, PublicationStatus, Slug } from "#shared/domain/base/names.ts";
import { type NumberedMeta, NumberedPage, numberedMeta, pageLinks } from "#shared/http/paging.ts";
import { anyOf } from "#shared/http/query.ts";
import type { PageLinks, SerializedList } from "#shared/http/route.ts";
import { CategoryTree } from "#shared/storage/catalog/catalog.ts";
import { LimitedString } from "#shared/domain/base/text.ts";

/** Maps values of `sort` to the read model's sort orders. For staff, "newest" means the most recently changed. */
const orders = {
  "-updated_at": "newest",
  name: "name",
  price: "price",
  "-price": "-price",
  popular: "popular",
} as const satisfies Record<string, SortOrder>;
type AdminSort = keyof typeof orders;

const sorts = namesOf(orders);

/** Query parameters of every list that reads the staff index. */
export const AdminListQuery = NumberedPage.extend({
  q: LimitedString(200).trim().min(1).optional().meta({
    description: "Words of a name, slug or SKU (typos are tolerated), or the beginning of a SKU",
  }),
  status: anyOf(PublicationStatus, "draft,published"),
  sort: z.enum(sorts).optional().meta({
    description: "Default: best match with `q`, otherwise most recently changed",
  }),
});

export const SellableListQuery = AdminListQuery.extend({
  category: anyOf(Slug, "accent-chairs"),
  collection: anyOf(Slug, "nilgiri"),
  room: anyOf(Slug, "living-room"),
  style: anyOf(Slug, "mid-century"),
  tag: anyOf(Code, "small-space"),
});

type Query = NumberedPage & {
  q?: string | undefined;
  sort?: AdminSort | undefined;
};

const trees = ["category", "collection", "room", "style"] as const;

type SellableQuery = z.output<typeof SellableListQuery>;

/** The staff index, and how to search it. */
export interface StaffCatalog {
  readonly catalog: Catalog;
  readonly rules: SearchRules;
}

/**
 * Reads the staff index and, for a search, the shop's own synonyms. Staff also find cards that the settings
 * hide, and no card is boosted.
 */
export async function readStaffCatalog(
  { query: { q } }: { query: Pick<Query, "q"> },
  { staffIndexReader, searchSettings }: Shop<"staffIndexReader" | "searchSettings">,
): Promise<StaffCatalog> {
  const [catalog, settings] = await Promise.all([
    staffIndexReader.current(),
    q === undefined ? undefined : searchSettings.current(),
  ]);
  if (settings === undefined) return { catalog, rules: noRules };
  const { boosts, hidden } = noRules;
  return { catalog, rules: { ...memoizedRules(settings.search), boosts, hidden } };
}

/** Reads what a list of products or sofas needs: the staff index, and the categories if the query filters by any. */
export async function readAdminList(
  call: { query: SellableQuery },
  shop: Shop<"table" | "staffIndexReader" | "searchSettings">,
): Promise<StaffCatalog & { categories: readonly Category[] }> {
  const [read, tree] = await Promise.all([
    readStaffCatalog(call, shop),
    trees.some((kind) => call.query[kind]) ? shop.table.get(CategoryTree, {}) : undefined,
  ]);
  return { ...read, categories: tree?.categories ?? [] };
}

/** The query extended to the subcategories of its categories. */
function withBranches(query: SellableQuery, categories: readonly Category[]): SellableQuery {
  const branches = trees.flatMap((kind) => {
    const named = query[kind];
    return named ? [[kind, withDescendants(categories, kind, named)] as const] : [];
  });
  return { ...query, ...Object.fromEntries(branches) };
}

/** One page of the rows of a kind. Members of the query other than `q`, `sort` and paging are filters. */
export function staffPage(
  { catalog: { index }, rules }: StaffCatalog,
  kind: string,
  query: Query,
): CatalogPage {
  const { q, sort, page, per_page, ...filters } = query;
  const order = sort ? orders[sort] : q === undefined ? "newest" : "relevance";
  return catalogPage(index, { kind, q, sort: order, page, per_page, filters, rules });
}

/** `meta` and `links` of a page. */
export function pageEnvelope(
  path: string,
  query: Query,
  total: number,
): { meta: z.output<typeof NumberedMeta>; links: PageLinks } {
  const meta = numberedMeta(query, total);
  return { meta, links: pageLinks(path, query, meta) };
}

/**
 * One page of rows as JSON text from the index. The index writer has already dropped undeclared members.
 *
 * @throws AppError `validation_failed` when the page is beyond the last
 */
export function answerAdminList(
  { categories, ...read }: Awaited<ReturnType<typeof readAdminList>>,
  kind: string,
  path: string,
  query: SellableQuery,
): SerializedList<z.output<typeof NumberedMeta>> {
  const { cards, total } = staffPage(read, kind, withBranches(query, categories));
  return { rows: cards, ...pageEnvelope(path, query, total) };
}
