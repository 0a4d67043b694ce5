import * as z from "zod";
import { countsOf } from "#shared/search/cards.ts";
import { CategoryKind, CategoryNode, categoryTree } from "#shared/domain/catalog/category.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";
import { categoriesOf } from "#shared/search/documents.ts";

export const listCategories = route({
  method: "GET",
  path: "/categories",
  summary: "List categories, collections, rooms or styles as a tree",
  description:
    "Includes the number of published items in each node. Returns the whole tree unless `per_page` is sent.",
  access: anyone,
  cache: "public",
  request: { query: WholeList.extend({ kind: CategoryKind.default("category") }) },
  response: { status: 200, data: z.array(CategoryNode), meta: CursorMeta },
  async handle({ query: { kind, ...page } }, { indexReader }: Deps) {
    const { index, documents } = await indexReader.current();
    const counts = countsOf(index, kind);
    const countOf = (_kind: CategoryKind, slug: string) => counts.get(slug) ?? 0;
    const roots = categoryTree(categoriesOf(documents), kind, countOf);
    return sliceOf(roots, `${kind} tree`, ({ id }) => id, page);
  },
});

export const routes = [listCategories];
