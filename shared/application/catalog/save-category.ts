import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { isUnchanged } from "#shared/application/edit.ts";
import { followedRedirects } from "#shared/application/content/followed-redirects.ts";
import { requirePictures } from "#shared/application/pictures.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { inUse, requireUnused } from "#shared/application/require-references.ts";
import { sanitiseHtml } from "#shared/domain/base/html.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type Categories,
  Category,
  checkCategories,
  withCategory,
  withVersions,
} from "#shared/domain/catalog/category.ts";
import type { LinkTarget } from "#shared/domain/content/content.ts";
import { withoutRedirectsToList } from "#shared/domain/content/redirect.ts";
import { AppError, invalidFields, orNotFound } from "#shared/domain/request/app-error.ts";
import { StoredPicture } from "#shared/domain/upload/media.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import { CategoryTree, CategoryUses } from "#shared/storage/catalog/catalog.ts";
import { either, is, isNew } from "#shared/storage/conditions.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, check, remove } from "#shared/storage/writes.ts";

const { shape } = Category;

/** The members of a category that staff write. */
export const CategoryInput = z.strictObject({
  kind: shape.kind,
  slug: shape.slug,
  name: shape.name,
  image: StoredPicture.nullable().default(null),
  description_html: shape.description_html.overwrite(sanitiseHtml).default(""),
  parent_id: shape.parent_id.default(null).meta({ description: "Id of the parent category" }),
  position: shape.position.optional().meta({
    description:
      "Position among its siblings, from 0; the siblings after it move. Default: unchanged, or " +
      "last for a new category",
  }),
});
type CategoryInput = z.output<typeof CategoryInput>;

/** All categories; none before the first was stored. */
export async function readCategories({ table }: Shop<"table">): Promise<Categories> {
  return (await table.get(CategoryTree, {})) ?? { categories: [], version: 0 };
}

/** A category, and the tree of all categories that was read with it. */
interface InTree {
  readonly category: Category;
  readonly tree: Categories;
}

/** Stores each category in the tree of all categories, which is checked and stored as a whole. */
export const categoryStore: RecordStore<Shop<"table">, CategoryInput, InTree, Categories> = {
  newId: (_input, now) => newId("cat", now),
  async read(id, shop) {
    const tree = await readCategories(shop);
    const category = tree.categories.find((each) => each.id === id);
    return category && { category, tree };
  },
  beforeCreation: (shop) => readCategories(shop),
  async create({ position, ...members }, { id, before: tree, audit, deps, bind }) {
    const edit = stored(tree, undefined, { id, ...members, at: position }, audit);
    await requirePictures(deps.table, undefined, edit.category);
    const created = { category: edit.category, tree };
    const further = [...(await bind(created)), ...edit.further];
    await saveTree(tree, { ...edit, further }, deps.table);
    return created;
  },
  async update({ tree, category: before }, { position, ...members }, { audit, deps: { table } }) {
    const changed = stored(tree, before, { ...before, ...members, at: position }, audit);
    await requirePictures(table, before, changed.category);
    const isMoved = changed.category.slug !== before.slug;
    const edit = isMoved ? await withoutNames(changed, before, table, audit) : changed;
    if (!isUnchanged(tree, { ...tree, categories: edit.after })) await saveTree(tree, edit, table);
    return { category: edit.category, tree };
  },
  async remove({ tree, category }, { audit, deps: { table } }) {
    const edit = removed(tree, category, audit);
    await saveTree(tree, await withoutNames(edit, category, table, audit), table);
  },
};

interface TreeEdit {
  readonly category: Category;
  readonly after: Category[];
  readonly further: readonly Write[];
}

const saveTree = (
  { version }: Categories,
  { after, further }: TreeEdit,
  table: Table,
): Promise<void> => table.transact([...putCategories(after, version), ...further]);

const inTree = ({ categories }: Pick<Categories, "categories">, id: string): Category =>
  orNotFound(categories.find((category) => category.id === id));

function stored(
  { categories }: Categories,
  before: Category | undefined,
  { at, ...input }: Omit<CategoryInput, "position"> & { id: string; at: number | undefined },
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
      message: `Another ${category.kind} has this slug. Choose another slug.`,
      details: { path: "slug", slug: category.slug },
    });
  }
  const after = withVersions(categories, withCategory(categories, category, at));
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
      // Records refer to a category by its slug, so the slug changes only while no record does.
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

/**
 * Extends an edit that removes a slug. The returned edit also checks that no record refers to the slug, and removes
 * redirects to the category's list page. Throws AppError `in_use` if a record refers to the slug.
 */
async function withoutNames(
  edit: TreeEdit,
  before: Category,
  table: Table,
  audit: AuditContext,
): Promise<TreeEdit> {
  const { id, kind, slug } = before;
  const hasList = kind === "category" || kind === "collection";
  const [unused, redirects] = await Promise.all([
    requireUnused(table, { kind, id: slug, counted: id }),
    hasList ? withoutRedirects({ kind, slug }, table, audit) : [],
  ]);
  return {
    ...edit,
    further: [...edit.further, ...unused, ...redirects],
  };
}

/** The writes that remove the redirects to the list of a category or collection. */
async function withoutRedirects(
  list: LinkTarget,
  table: Table,
  audit: AuditContext,
): Promise<TreeEdit["further"]> {
  const [map, { seo }] = await Promise.all([readRedirects(table), readSettings(table, ["seo"])]);
  const kept = withoutRedirectsToList(map.redirects, list, seo.paths);
  return followedRedirects(map, kept, audit);
}

const stillInUse = ({ kind }: Category): string =>
  `This ${kind} is still in use. Remove the references to it first.`;

/**
 * Returns a write that is refused if a record has begun to refer to the category after the check by `requireUnused`.
 * The retry then finds that record.
 */
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
