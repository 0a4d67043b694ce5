import type { Shop } from "#shared/application/shop.ts";
import { listRoute } from "#functions/list-route.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import {
  CategoryInput,
  categoryStore,
  readCategories,
} from "#shared/application/catalog/save-category.ts";
import { Category, CategoryKind } from "#shared/domain/catalog/category.ts";
import { WholeList } from "#shared/http/paging.ts";
import { staff } from "#shared/http/route.ts";

const example = {
  kind: "category",
  slug: "rocking-chairs",
  name: "Rocking chairs",
  description_html: "<p>For verandas and nurseries.</p>",
} as const;

const path = "/admin/categories";

const list = listRoute({
  path,
  summary: "List categories, siblings sorted by position",
  description:
    "Returns a flat list with parent ids, of all kinds unless `kind` is sent, and whole unless `per_page` is.",
  access: staff("catalog.view"),
  query: WholeList.extend({ kind: CategoryKind.optional() }),
  row: Category,
  async list({ query: { kind } }, shop: Shop<"table">) {
    const { categories } = await readCategories(shop);
    const entries = categories
      .filter((category) => kind === undefined || category.kind === kind)
      .toSorted((one, other) => one.position - other.position);
    return { name: `categories ${kind}`, entries, nameOf: ({ id }) => id };
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
