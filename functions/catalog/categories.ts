import * as z from "zod";
import { countsOf } from "#shared/catalog-view/cards.ts";
import { CategoryKind, CategoryNode, categoryTree } from "#shared/domain/category.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";
import { categoriesOf } from "#shared/catalog-view/documents.ts";

export const listCategories = route({
  method: "GET",
  path: "/categories",
  summary: "Categories, collections, rooms or styles as a tree",
  access: anyone,
  cache: "public",
  request: { query: z.strictObject({ kind: CategoryKind.default("category") }) },
  response: { status: 200, data: z.array(CategoryNode) },
  async handle({ query: { kind } }, { view }: Deps) {
    const { index, documents } = await view.current();
    const counts = countsOf(index, kind);
    return {
      data: categoryTree(categoriesOf(documents), kind, (_kind, slug) => counts.get(slug) ?? 0),
    };
  },
});
