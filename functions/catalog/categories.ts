import { keptSettings } from "./kept-records.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { listRoute } from "#functions/list-route.ts";
import { countsOf } from "#shared/search/cards.ts";
import {
  CategoryDetail,
  CategoryKind,
  CategoryNode,
  categoryTree,
  nodeWithSlug,
} from "#shared/domain/catalog/category.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { WholeList } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { categoriesOf } from "#shared/search/documents.ts";
import { categoryWithPlace } from "./listed-category.ts";

const kind = CategoryKind.default("category");

export const listCategories = listRoute({
  path: "/categories",
  summary: "List categories, collections, rooms or styles as a tree",
  description:
    "Includes the number of published items in each node. Returns the whole tree unless `per_page` is sent.",
  access: anyone,
  cache: "public",
  query: WholeList.extend({ kind }),
  row: CategoryNode,
  list: async ({ query: { kind } }, { indexReader }: Shop<"indexReader">) => ({
    name: `${kind} tree`,
    entries: treeOf(await indexReader.current(), kind),
    nameOf: ({ id }) => id,
  }),
});

export const getCategory = route({
  method: "GET",
  path: "/categories/{slug}",
  summary: "Get a category, collection, room or style",
  description:
    "Returns the node of the tree with its breadcrumbs. A list that is filtered by it has the same in `meta.category`, " +
    "without `count` and `children`.",
  access: anyone,
  cache: "public",
  request: {
    params: z.object({ slug: Slug.meta({ example: "sofas" }) }),
    query: z.strictObject({ kind }),
  },
  response: { status: 200, data: CategoryDetail },
  async handle(
    { params: { slug }, query: { kind } },
    shop: Shop<"table" | "indexReader" | "memory">,
  ) {
    const [catalog, current] = await Promise.all([shop.indexReader.current(), keptSettings(shop)]);
    const category = categoryWithPlace(catalog.documents, kind, slug, current);
    const node = nodeWithSlug(treeOf(catalog, kind), slug);
    if (!category || !node) {
      throw new AppError("not_found", { message: `There is no ${kind} with this slug.` });
    }
    return { data: { ...category, ...node } };
  },
});

function treeOf({ index, documents }: Catalog, kind: CategoryKind): z.input<typeof CategoryNode>[] {
  const counts = countsOf(index, kind);
  return categoryTree(categoriesOf(documents), kind, (_kind, slug) => counts.get(slug) ?? 0);
}

export const routes = [listCategories, getCategory];
