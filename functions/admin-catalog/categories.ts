import * as z from "zod";
import {
  type Categories,
  Category,
  CategoryKind,
  checkCategories,
  withCategory,
  withVersions,
} from "#shared/domain/catalog/category.ts";
import { withoutRedirectsToList } from "#shared/domain/content/redirect.ts";
import { sanitiseHtml } from "#shared/domain/base/html.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { StoredPicture } from "#shared/domain/upload/media.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { orNotFound, isUnchanged } from "#shared/application/edit.ts";
import { AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { requireVersion } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { followedRedirects } from "#shared/application/content/followed-redirects.ts";
import { inUse, requireUnused } from "#shared/application/references.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { type Answer, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import { CategoryTree, CategoryUses } from "#shared/storage/catalog/catalog.ts";
import { either, is, isNew } from "#shared/storage/conditions.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { type Write, check, remove } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";

const shape = Category.shape;

const example = {
  kind: "category",
  slug: "rocking-chairs",
  name: "Rocking chairs",
  description_html: "<p>For verandas and nurseries.</p>",
};

const CategoryInput = z
  .strictObject({
    kind: shape.kind,
    slug: shape.slug,
    name: shape.name,
    image: z.strictObject(StoredPicture.shape).nullable().default(null),
    description_html: shape.description_html.overwrite(sanitiseHtml).default(""),
    parent_id: shape.parent_id.default(null).meta({ description: "Id of the parent category" }),
    position: shape.position.optional().meta({
      description:
        "Position among its siblings, which move up. Left out: unchanged, or last for a new " +
        "category",
    }),
  })
  .meta({ example });
type CategoryInput = z.output<typeof CategoryInput>;
const form = editForm(CategoryInput, Category);

const nothing: Categories = { categories: [], version: 0 };
const pathOf = (id: string) => `/admin/categories/${id}`;

const readTree = (_call: unknown, { table }: Pick<Deps, "table">) => table.get(CategoryTree, {});
const answerOf = (data: Category) => ({ data, version: data.version });

export const listCategories = route({
  method: "GET",
  path: "/admin/categories",
  summary: "List categories of a kind, siblings in their order",
  description:
    "A flat list with parents; without `kind`, all kinds. Returned whole unless `per_page` is sent.",
  access: staff("catalog.view"),
  request: { query: WholeList.extend({ kind: CategoryKind.optional() }) },
  response: { status: 200, data: z.array(Category), meta: CursorMeta },
  first: readTree,
  async handle({ first, query: { kind, ...page } }) {
    const listed = (first ?? nothing).categories
      .filter((category) => kind === undefined || category.kind === kind)
      .toSorted((one, other) => one.position - other.position);
    return sliceOf(listed, `categories ${kind}`, ({ id }) => id, page);
  },
});

export const createCategory = route({
  method: "POST",
  path: "/admin/categories",
  summary: "Add a category, collection, room or style",
  description:
    "Without `position` it is added last among its siblings. It is public within seconds.",
  access: staff("catalog.edit"),
  request: { body: CategoryInput },
  response: { status: 201, data: Category },
  errors: ["already_exists"],
  idempotent: true,
  first: async (call, deps: Deps) => ({ tree: await readTree(call, deps) }),
  async handle(call, { table }: Deps) {
    let read: typeof call.first | undefined = call.first;
    const id = newId("cat", call.now);
    const { position, ...members } = call.body;
    const creation = { route: "POST /admin/categories", id, at: pathOf };
    return answerOnce(creation, call, table, async (bind) => {
      const { tree = nothing } = read ?? { tree: await readTree(call, { table }) };
      // A retry reads the categories again.
      read = undefined;
      const edit = stored(tree, undefined, { id, ...members }, position, auditContextOf(call));
      const answer = answerOf(edit.category);
      await saveTree(tree, { ...edit, further: [...bind(answer), ...edit.further] }, table);
      return answer;
    });
  },
});

export const getCategory = route({
  method: "GET",
  path: "/admin/categories/{id}",
  summary: "Get a category",
  description: "By id, with the `version` that `If-Match` takes.",
  access: staff("catalog.view"),
  request: { params: byId },
  response: { status: 200, data: Category },
  first: readTree,
  handle: async ({ first = nothing, params }) => answerOf(inTree(first, params.id)),
});

export const replaceCategory = route({
  method: "PUT",
  path: "/admin/categories/{id}",
  summary: "Replace a category",
  description: "Published items in the category show its new name or place within seconds.",
  access: staff("catalog.edit"),
  request: { params: byId, body: form.put.meta({ example }), headers: ifMatch },
  response: { status: 200, data: Category },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: readTree,
  async handle(call, { table }) {
    const read = inTree(call.first ?? nothing, call.params.id).version;
    const headers = { "if-match": call.headers["if-match"] ?? read };
    return editTree({ ...call, headers }, table, (tree, before) => {
      const { position, ...members } = form.replaced(call.body, before);
      const edit = stored(
        tree,
        before,
        { id: before.id, ...members },
        position,
        auditContextOf(call),
      );
      return withNamesKept(edit, before, table, auditContextOf(call));
    });
  },
});

export const changeCategory = route({
  method: "PATCH",
  path: "/admin/categories/{id}",
  summary: "Rename, move or reorder a category",
  description:
    "`parent_id` moves the category below another parent, `position` reorders it among its " +
    "siblings.",
  access: staff("catalog.edit"),
  request: {
    params: byId,
    body: form.patch.meta({ example: { name: "Rocking chairs and gliders" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: Category },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: readTree,
  handle: async (call, { table }) =>
    editTree(call, table, (tree, before) => {
      const { position, ...members } = form.patched(call.body, before);
      const edit = stored(tree, before, { ...before, ...members }, position, auditContextOf(call));
      return withNamesKept(edit, before, table, auditContextOf(call));
    }),
});

export const deleteCategory = route({
  method: "DELETE",
  path: "/admin/categories/{id}",
  summary: "Delete a category",
  description:
    "Refused while a product, sofa, story, coupon, link or another category refers to it. " +
    "Redirects to it are deleted with it.",
  access: staff("catalog.delete"),
  request: { params: byId, headers: ifMatch },
  response: { status: 204 },
  errors: ["in_use", "version_mismatch"],
  first: readTree,
  async handle(call, { table }) {
    await editTree(call, table, async (tree, before) => {
      const edit = removed(tree, before, auditContextOf(call));
      return withoutNames(edit, before, table, auditContextOf(call));
    });
  },
});

interface TreeEdit {
  readonly category: Category;
  readonly after: Category[];
  readonly further: readonly Write[];
}

/** Applies an edit of one category, and retries on conflict with all categories read again. */
async function editTree(
  call: {
    first: Categories | undefined;
    params: { id: string };
    headers: { "if-match"?: number | undefined };
  },
  table: Deps["table"],
  change: (tree: Categories, before: Category) => TreeEdit | Promise<TreeEdit>,
): Promise<Answer<Category>> {
  const readAgain = () => readTree(call, { table });
  return retryOnConflict(call.first, readAgain, async (tree = nothing) => {
    const before = inTree(tree, call.params.id);
    requireVersion(call.headers["if-match"], before.version);
    const edit = await change(tree, before);
    if (!isUnchanged(tree, { ...tree, categories: edit.after })) await saveTree(tree, edit, table);
    return answerOf(edit.category);
  });
}

const saveTree = (
  { version }: Categories,
  { after, further }: TreeEdit,
  table: Deps["table"],
): Promise<void> => table.transact([...putCategories(after, version), ...further]);

const inTree = ({ categories }: Pick<Categories, "categories">, id: string): Category =>
  orNotFound(categories.find((category) => category.id === id));

function stored(
  { categories }: Categories,
  before: Category | undefined,
  input: Omit<CategoryInput, "position"> & { id: string },
  position: number | undefined,
  audit: AuditContext,
): TreeEdit {
  const category: Category = { position: 0, version: 1, ...before, ...input };
  if (before && before.kind !== category.kind) {
    throw invalidFields([{ path: "kind", message: "The kind of a category cannot change." }]);
  }
  const twin = categories.find(
    ({ id, kind, slug }) => kind === category.kind && slug === category.slug && id !== category.id,
  );
  if (twin) {
    throw new AppError("already_exists", {
      message: `Another ${category.kind} has this slug.`,
      details: { path: "slug", slug: category.slug },
    });
  }
  const after = withVersions(categories, withCategory(categories, category, position));
  const problems = checkCategories(after).map(({ path, message }) => ({
    path: path.split(".").slice(2).join("."),
    message,
  }));
  if (problems.length > 0) throw invalidFields(problems);
  const action = before ? "category.update" : "category.create";
  const saved = inTree({ categories: after }, category.id);
  return {
    category: saved,
    after,
    further: [
      activity(audit, action, before, saved),
      // Records refer to a category by its slug.
      ...(before && before.slug !== category.slug ? [whileUnused(category, check)] : []),
    ],
  };
}

function removed({ categories }: Categories, category: Category, audit: AuditContext): TreeEdit {
  const { id } = category;
  const below = categories.filter(({ parent_id }) => parent_id === id);
  if (below.length > 0) {
    throw inUse(
      below.map((child) => ({ kind: "category", id: child.id, label: child.name })),
      stillInUse(category),
    );
  }
  return {
    category,
    after: categories.filter((other) => other.id !== id),
    further: [
      activity(audit, "category.delete", category, undefined),
      whileUnused(category, remove),
    ],
  };
}

/** Completes an edit that removes the slug which records refer to, and removes the redirects to it. */
async function withoutNames(
  edit: TreeEdit,
  before: Category,
  table: Deps["table"],
  audit: AuditContext,
): Promise<TreeEdit> {
  const { id, kind, slug } = before;
  const hasList = kind === "category" || kind === "collection";
  const [unused, map] = await Promise.all([
    requireUnused(table, { kind, id: slug, counted: id }),
    hasList ? readRedirects(table) : undefined,
  ]);
  const redirects =
    map && hasList
      ? followedRedirects(map, withoutRedirectsToList(map.redirects, { kind, slug }), audit)
      : [];
  return {
    ...edit,
    further: [...edit.further, ...unused, ...redirects],
  };
}

const withNamesKept = async (
  edit: TreeEdit,
  before: Category,
  table: Deps["table"],
  audit: AuditContext,
): Promise<TreeEdit> =>
  edit.category.slug === before.slug ? edit : withoutNames(edit, before, table, audit);

const stillInUse = ({ kind }: Category): string =>
  `This ${kind} is still in use. Remove the references to it first.`;

/** A reference added meanwhile refuses the write; the retry finds it. */
const whileUnused = (category: Category, make: typeof check): Write =>
  make(CategoryUses, { id: category.id }, either(isNew, is("uses", 0)));

function activity(
  audit: AuditContext,
  action: string,
  before: Category | undefined,
  after: Category | undefined,
): Write {
  const { id = "", name = "" } = after ?? before ?? {};
  return recordActivity(audit, action, { kind: "category", id, label: name }, { before, after });
}

export const routes = [
  listCategories,
  createCategory,
  getCategory,
  replaceCategory,
  changeCategory,
  deleteCategory,
];
