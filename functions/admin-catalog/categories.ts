import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { recordRoutes } from "#functions/record-routes.ts";
import {
  CategoryInput,
  categoryStore,
  readCategories,
} from "#shared/application/catalog/save-category.ts";
import { Category, CategoryKind } from "#shared/domain/catalog/category.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";

const example = {
  kind: "category",
  slug: "rocking-chairs",
  name: "Rocking chairs",
  description_html: "<p>For verandas and nurseries.</p>",
} as const;

const path = "/admin/categories";

const list = route({
  method: "GET",
  path,
  summary: "List categories, siblings sorted by position",
  description:
    "Returns a flat list with parent ids. Without `kind`, lists all kinds. Returns all unless `per_page` is sent.",
  access: staff("catalog.view"),
  request: { query: WholeList.extend({ kind: CategoryKind.optional() }) },
  response: { status: 200, data: z.array(Category), meta: CursorMeta },
  first: (_call, shop: Shop<"table">) => readCategories(shop),
  async handle({ first, query: { kind, ...page } }) {
    const listed = first.categories
      .filter((category) => kind === undefined || category.kind === kind)
      .toSorted((one, other) => one.position - other.position);
    return sliceOf(listed, `categories ${kind}`, ({ id }) => id, page);
  },
});

export const routes = [
  list,
  ...recordRoutes({
    path,
    one: "a category",
    permissions: { view: "catalog.view", edit: "catalog.edit", delete: "catalog.delete" },
    record: Category,
    input: CategoryInput,
    examples: { record: example, patch: { name: "Rocking chairs and gliders" } },
    summaries: {
      create: "Add a category, collection, room or style",
      change: "Rename, move or reorder a category",
    },
    descriptions: {
      create:
        "Without `position`, the category becomes the last of its siblings. It is public within seconds.",
      get: "Includes the `version` that `If-Match` accepts.",
      replace: "Published items in the category show its new name or parent within seconds.",
      change:
        "`parent_id` moves the category below another parent, `position` reorders it among its " +
        "siblings.",
      remove:
        "Returns 409 while a product, sofa, story, coupon, link or other category refers to the " +
        "category. Redirects to it are deleted too.",
    },
    errors: {
      create: ["already_exists"],
      edit: ["already_exists", "in_use"],
      remove: ["in_use"],
    },
    store: categoryStore,
    shown: ({ category }) => category,
  }),
];
