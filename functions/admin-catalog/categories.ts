import * as z from "zod";
import {
  type Categories,
  Category,
  CategoryKind,
  checkCategories,
  withCategory,
} from "#shared/domain/category.ts";
import { sanitiseHtml } from "#shared/domain/html.ts";
import { newId } from "#shared/domain/ids.ts";
import { StoredPicture } from "#shared/domain/media.ts";
import { createOnce, creationHeaders } from "#shared/http/create-once.ts";
import { found } from "#shared/http/edit.ts";
import { AppError, invalidFields } from "#shared/http/errors.ts";
import { requireVersion } from "#shared/http/if-match.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { patchOf, withPatch } from "#shared/http/patch.ts";
import { type Answer, apiPrefix, route, staff } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import { type Doing, recordActivity } from "#shared/storage/activity.ts";
import { putCategories } from "#shared/storage/catalog-edits.ts";
import { CategoryTree, CategoryUses } from "#shared/storage/catalog.ts";
import { either, is, isNew } from "#shared/storage/conditions.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import { type Write, check, remove } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { type GuardedWrite, transactGuarded } from "./guarded-writes.ts";

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
    parent_id: shape.parent_id.default(null).meta({ description: "What it stands below" }),
    position: shape.position.optional().meta({
      description: "Place among its siblings, which move up; left out: as it is, or the last",
    }),
  })
  .meta({ example });
type CategoryInput = z.output<typeof CategoryInput>;
const CategoryPatch = patchOf(CategoryInput).meta({
  example: { name: "Rocking chairs and gliders" },
});

const nothing: Categories = { categories: [], version: 0 };

export const listCategories = route({
  method: "GET",
  path: "/admin/categories",
  summary: "All categories of a kind, siblings in their order",
  description: "All categories of every kind share one version.",
  access: staff("catalog.view"),
  request: { query: z.strictObject({ kind: CategoryKind.optional() }) },
  response: { status: 200, data: z.array(Category) },
  first: (_call, { table }: Deps) => table.get(CategoryTree, {}),
  async handle({ first, query: { kind } }) {
    const { categories, version } = first ?? nothing;
    const listed = categories
      .filter((category) => kind === undefined || category.kind === kind)
      .toSorted((one, other) => one.position - other.position);
    return { data: listed, version };
  },
});

export const createCategory = route({
  method: "POST",
  path: "/admin/categories",
  summary: "Add a category, collection, room or style",
  access: staff("catalog.edit"),
  request: { body: CategoryInput, headers: ifMatch },
  response: { status: 201, data: Category },
  errors: ["already_exists", "version_mismatch"],
  idempotent: true,
  first: (_call, { table }: Deps) => table.get(CategoryTree, {}),
  async handle(call, { table }) {
    const id = newId("cat", call.now);
    const { position, ...members } = call.body;
    let written: Answer<Category> | undefined;
    const made = await createOnce("POST /admin/categories", call, table, id, async (binding) => {
      written = await editTree(call, table, (tree) => {
        const edit = stored(tree, undefined, { id, ...members }, position, doingOf(call));
        return { ...edit, further: [...binding, ...edit.further] };
      });
    });
    const headers = creationHeaders(`${apiPrefix}/admin/categories`, made);
    if (written) return { ...written, headers };
    const tree = (await table.get(CategoryTree, {})) ?? nothing;
    return { data: inTree(tree, made.id), version: tree.version, headers };
  },
});

export const getCategory = route({
  method: "GET",
  path: "/admin/categories/{id}",
  summary: "A category",
  access: staff("catalog.view"),
  request: { params: byId },
  response: { status: 200, data: Category },
  first: (_call, { table }: Deps) => table.get(CategoryTree, {}),
  handle: async ({ first = nothing, params }) => ({
    data: inTree(first, params.id),
    version: first.version,
  }),
});

export const replaceCategory = route({
  method: "PUT",
  path: "/admin/categories/{id}",
  summary: "Replace a category",
  description: "Its new name, or place, reaches all that is published in it within seconds.",
  access: staff("catalog.edit"),
  request: { params: byId, body: CategoryInput, headers: ifMatch },
  response: { status: 200, data: Category },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: (_call, { table }: Deps) => table.get(CategoryTree, {}),
  async handle(call, { table }) {
    const headers = { "if-match": call.headers["if-match"] ?? (call.first ?? nothing).version };
    return editTree({ ...call, headers }, table, (tree) => {
      const before = inTree(tree, call.params.id);
      const { position, ...members } = call.body;
      return stored(tree, before, { id: before.id, ...members }, position, doingOf(call));
    });
  },
});

export const changeCategory = route({
  method: "PATCH",
  path: "/admin/categories/{id}",
  summary: "Rename, move or reorder a category",
  description: "`parent_id` moves it, `position` puts it among its siblings.",
  access: staff("catalog.edit"),
  request: { params: byId, body: CategoryPatch, headers: ifMatch },
  response: { status: 200, data: Category },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: (_call, { table }: Deps) => table.get(CategoryTree, {}),
  handle: async (call, { table }) =>
    editTree(call, table, (tree) => {
      const before = inTree(tree, call.params.id);
      const { position, ...members } = call.body;
      return stored(tree, before, withPatch(before, members), position, doingOf(call));
    }),
});

export const deleteCategory = route({
  method: "DELETE",
  path: "/admin/categories/{id}",
  summary: "Delete a category",
  description: "Refused while a product, a sofa or another category refers to it.",
  access: staff("catalog.delete"),
  request: { params: byId, headers: ifMatch },
  response: { status: 204 },
  errors: ["in_use", "version_mismatch"],
  first: (_call, { table }: Deps) => table.get(CategoryTree, {}),
  async handle(call, { table }) {
    await editTree(call, table, (tree) => removed(tree, call.params.id, doingOf(call)));
  },
});

interface TreeEdit {
  readonly category: Category;
  readonly after: Category[];
  readonly further: GuardedWrite[];
}

/** Applies an edit to the whole document, on a fresh read each time somebody else wrote in between. */
async function editTree(
  call: {
    first: Categories | undefined;
    headers: { "if-match"?: number | undefined };
  },
  table: Deps["table"],
  change: (tree: Categories) => TreeEdit,
): Promise<Answer<Category>> {
  const readAgain = () => table.get(CategoryTree, {});
  return onFresh(call.first, readAgain, async (before = nothing) => {
    requireVersion(call.headers["if-match"], before.version);
    const { category, after, further } = change(before);
    const version = before.version + 1;
    await transactGuarded(table, [
      ...putCategories(after, before.version).map((write) => ({ write })),
      ...further,
    ]);
    return { data: after.find(({ id }) => id === category.id) ?? category, version };
  });
}

const inTree = ({ categories }: Categories, id: string): Category =>
  found(categories.find((category) => category.id === id));

function stored(
  { categories }: Categories,
  before: Category | undefined,
  input: Omit<CategoryInput, "position"> & { id: string },
  position: number | undefined,
  doing: Doing,
): TreeEdit {
  const category: Category = { position: before?.position ?? 0, ...input };
  if (before && before.kind !== category.kind) {
    throw invalidFields([{ path: "kind", message: "What it is never changes." }]);
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
  const after = withCategory(categories, category, position);
  const problems = checkCategories(after).map(({ path, message }) => ({
    path: path.split(".").slice(2).join("."),
    message,
  }));
  if (problems.length > 0) throw invalidFields(problems);
  const action = before ? "category.update" : "category.create";
  return {
    category,
    after,
    further: [
      { write: activity(doing, action, before, category) },
      // Records refer to it by its slug.
      ...(before && before.slug !== category.slug ? [whileUnused(category, check)] : []),
    ],
  };
}

function removed({ categories }: Categories, id: string, doing: Doing): TreeEdit {
  const category = inTree({ categories, version: 0 }, id);
  if (categories.some(({ parent_id }) => parent_id === id)) throw stillInUse(category);
  return {
    category,
    after: categories.filter((other) => other.id !== id),
    further: [
      { write: activity(doing, "category.delete", category, undefined) },
      whileUnused(category, remove),
    ],
  };
}

const stillInUse = ({ id, kind }: Category) =>
  new AppError("in_use", {
    message: `Something still refers to this ${kind}.`,
    details: { id },
  });

function whileUnused(category: Category, make: typeof check): GuardedWrite {
  return {
    write: make(CategoryUses, { id: category.id }, either(isNew, is("uses", 0))),
    refusal: stillInUse(category),
  };
}

function activity(
  doing: Doing,
  action: string,
  before: Category | undefined,
  after: Category | undefined,
): Write {
  const { id = "", name = "" } = after ?? before ?? {};
  return recordActivity(doing, action, { kind: "category", id, label: name }, { before, after });
}
