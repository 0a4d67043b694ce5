import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { type Problem, Slug } from "../base/names.ts";
import { Html, Text } from "../base/text.ts";
import { Breadcrumbs, PageSeo } from "./page-seo.ts";

/** The four classifications of the catalog. Each has separate trees. */
export const CategoryKind = z.enum(["category", "collection", "room", "style"]);
export type CategoryKind = z.output<typeof CategoryKind>;

export const Category = z.object({
  id: Id("cat"),
  kind: CategoryKind,
  slug: Slug.meta({ description: "Unique within its kind" }),
  name: Text(80),
  image: StoredPicture.nullable(),
  description_html: Html(10_000),
  parent_id: Id("cat").nullable(),
  position: z.int().min(0).max(10_000).meta({ description: "Position among its siblings" }),
  version: z.int().min(1).default(1),
});
export type Category = z.output<typeof Category>;

/** All categories of every kind, as one document. */
export const Categories = z.object({
  categories: z.array(Category).max(500),
  version: z.int().min(1),
});
export type Categories = z.output<typeof Categories>;

/** A category as other records show it. */
export const CategoryRef = z.object({ slug: Slug, name: z.string() });
export type CategoryRef = z.output<typeof CategoryRef>;

/** A category with its descendants, for the public. */
export const CategoryNode = Category.omit({
  parent_id: true,
  position: true,
  version: true,
}).extend({
  image: PublicPicture.nullable(),
  count: z
    .int()
    .min(0)
    .meta({ description: "Published products in the category and its subcategories" }),
  get children() {
    return z.array(CategoryNode);
  },
});
/** A node before its response. */
export type CategoryNode = z.input<typeof CategoryNode>;

/** A category in the tree with its place and the head of its page. */
export const CategoryDetail = CategoryNode.extend({ breadcrumbs: Breadcrumbs, seo: PageSeo });

/** The category by which a list is filtered. */
export const ListedCategory = CategoryDetail.omit({ count: true, children: true });
/** The category before its response. */
export type ListedCategory = z.input<typeof ListedCategory>;

/** The number of published records in a category and its descendants. */
export type CountOf = (kind: CategoryKind, slug: string) => number;

const byPosition = (a: Category, b: Category) =>
  a.position - b.position || (a.name < b.name ? -1 : 1);

/**
 * The trees of one kind, with siblings in order. A category whose parent is missing, of another kind or its own
 * descendant is left out; `checkCategories` refuses such documents.
 */
export function categoryTree(
  categories: readonly Category[],
  kind: CategoryKind,
  countOf: CountOf,
): CategoryNode[] {
  const siblings = Map.groupBy(
    categories.filter((category) => category.kind === kind),
    (category) => category.parent_id,
  );
  const below = (parent: string | null): CategoryNode[] =>
    (siblings.get(parent) ?? [])
      .toSorted(byPosition)
      .map(({ id, slug, name, image, description_html }) => ({
        id,
        kind,
        slug,
        name,
        image,
        description_html,
        count: countOf(kind, slug),
        children: below(id),
      }));
  return below(null);
}

/** The node of a tree that has this slug; undefined if there is none. */
export function nodeWithSlug(
  nodes: readonly CategoryNode[],
  slug: string,
): CategoryNode | undefined {
  for (const node of nodes) {
    const found = node.slug === slug ? node : nodeWithSlug(node.children, slug);
    if (found) return found;
  }
  return undefined;
}

/** The category with this slug, then its ancestors; empty if there is no such category. */
export function categoryPath(
  categories: readonly Category[],
  kind: CategoryKind,
  slug: string,
): Category[] {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const path: Category[] = [];
  let next = categories.find((category) => category.kind === kind && category.slug === slug);
  while (next && !path.includes(next)) {
    path.push(next);
    next = next.parent_id === null ? undefined : byId.get(next.parent_id);
  }
  return path;
}

/** Categories whose name or path has changed. */
export function renamedCategories(
  before: readonly Category[],
  after: readonly Category[],
): Category[] {
  const place = (categories: readonly Category[], { kind, slug }: Category) =>
    JSON.stringify(categoryPath(categories, kind, slug).map(({ slug, name }) => [slug, name]));
  return after.filter((category) => place(before, category) !== place(after, category));
}

/** The problems that prevent storing the categories. */
export function checkCategories(categories: readonly Category[]): Problem[] {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const taken = new Set<string>();
  return categories.flatMap((category, index) => {
    const problems: Problem[] = [];
    const at = (member: string, message: string) =>
      problems.push({ path: `categories.${index}.${member}`, message });
    const name = `${category.kind} ${category.slug}`;
    if (taken.has(name)) at("slug", "The slug has already been taken.");
    taken.add(name);
    if (byId.get(category.id) !== category) at("id", "The id has already been taken.");
    const parent = category.parent_id === null ? null : byId.get(category.parent_id);
    if (parent === undefined || (parent && parent.kind !== category.kind)) {
      at("parent_id", "The parent must be an existing entry of the same kind.");
    } else if (isBelowItself(category, byId)) {
      at("parent_id", "A category cannot be below itself.");
    }
    return problems;
  });
}

function isBelowItself(category: Category, byId: ReadonlyMap<string, Category>): boolean {
  const seen = new Set<string>();
  let id: string | null = category.id;
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    id = byId.get(id)?.parent_id ?? null;
  }
  return id !== null;
}

/**
 * All categories after one of them was inserted or moved. Its siblings are numbered again from 0.
 *
 * @param position undefined to keep its position, or to append a new category
 */
export function withCategory(
  categories: readonly Category[],
  category: Category,
  position?: number,
): Category[] {
  const others = categories.filter(({ id }) => id !== category.id);
  const siblings = others
    .filter(({ kind, parent_id }) => kind === category.kind && parent_id === category.parent_id)
    .toSorted(byPosition);
  const before = categories.find(({ id }) => id === category.id);
  const stays = before?.parent_id === category.parent_id ? before.position : siblings.length;
  const order = siblings.toSpliced(position ?? stays, 0, category);
  const numbers = new Map(order.map(({ id }, number) => [id, number]));
  return [...others, category].map((each) => ({
    ...each,
    position: numbers.get(each.id) ?? each.position,
  }));
}

/** The categories after an edit; each changed one gets the next version. */
export function withVersions(before: readonly Category[], after: readonly Category[]): Category[] {
  const byId = new Map(before.map((category) => [category.id, category]));
  return after.map((category) => {
    const was = byId.get(category.id);
    if (!was) return { ...category, version: 1 };
    const isSame = isDeepStrictEqual({ ...was, version: 1 }, { ...category, version: 1 });
    return { ...category, version: isSame ? was.version : was.version + 1 };
  });
}

/** Adds the slugs of all descendants to the slugs of categories of one kind. An unknown slug is kept. */
export function withDescendants(
  categories: readonly Category[],
  kind: CategoryKind,
  slugs: readonly string[],
): string[] {
  const slugSet = new Set(slugs);
  const below = categories.filter(
    (category) =>
      category.kind === kind &&
      categoryPath(categories, kind, category.slug).some(({ slug }) => slugSet.has(slug)),
  );
  return [...new Set([...slugs, ...below.map(({ slug }) => slug)])];
}
