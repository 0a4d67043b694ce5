import { describe, expect, test } from "vitest";
import {
  type Category,
  CategoryNode,
  categoryPath,
  categoryTree,
  checkCategories,
  renamedCategories,
  withCategory,
} from "#shared/domain/catalog/category.ts";
import { aCategory, someCategories } from "#test/support/shop/builders.ts";
import { anId } from "#test/support/shop/commerce.ts";

describe("the category tree", () => {
  test("contains categories of one kind, with ordered siblings and counts", () => {
    const categories = [
      ...someCategories,
      aCategory({ id: anId("cat", 7), slug: "tables", name: "Tables", position: 1 }),
      aCategory({ id: anId("cat", 8), slug: "beds", name: "Beds", position: 1 }),
    ];
    const tree = categoryTree(categories, "category", (_kind, slug) => slug.length);
    expect(tree).toMatchObject([
      { slug: "seating", count: 7, children: [{ slug: "chairs" }, { slug: "sofas" }] },
      { slug: "beds" },
      { slug: "tables" },
    ]);
    for (const node of tree) expect(CategoryNode.parse(node)).toEqual(node);
  });
});

describe("the ancestor path of a category", () => {
  test("leads from the category to the top-level category", () => {
    expect(categoryPath(someCategories, "category", "chairs").map(({ slug }) => slug)).toEqual([
      "chairs",
      "seating",
    ]);
  });

  test("is empty for the slug of a category of another kind", () => {
    expect(categoryPath(someCategories, "room", "chairs")).toEqual([]);
  });

  test("ends even if the parents form a cycle", () => {
    const round = [aCategory({ parent_id: anId("cat") })];
    expect(categoryPath(round, "category", "seating")).toHaveLength(1);
  });
});

describe("the validation of categories", () => {
  test("accepts a valid document", () => {
    expect(checkCategories(someCategories)).toEqual([]);
  });

  test("requires slugs that are unique per kind, and parents that exist, have the same kind and form no cycle", () => {
    const problems = checkCategories([
      aCategory({ id: anId("cat", 1), parent_id: anId("cat", 2) }),
      aCategory({ id: anId("cat", 2), slug: "b", parent_id: anId("cat", 1) }),
      aCategory({ id: anId("cat", 3), slug: "b" }),
      aCategory({ id: anId("cat", 4), kind: "room", slug: "b", parent_id: anId("cat", 3) }),
      aCategory({ id: anId("cat", 5), slug: "c", parent_id: anId("cat", 9) }),
    ]);
    expect(problems.map(({ path }) => path)).toEqual([
      "categories.0.parent_id",
      "categories.1.parent_id",
      "categories.2.slug",
      "categories.3.parent_id",
      "categories.4.parent_id",
    ]);
  });
});

describe("a saved category", () => {
  const [seating, chairs, sofas] = someCategories as [Category, Category, Category];
  const order = (categories: readonly Category[]) =>
    categories
      .filter(({ parent_id }) => parent_id === seating.id)
      .toSorted((a, b) => a.position - b.position)
      .map(({ slug }) => slug);
  const stool = aCategory({ id: anId("cat", 9), slug: "stools", parent_id: seating.id });

  test("is inserted at its position, or as the last one, and its siblings are renumbered", () => {
    const three = withCategory(withCategory(someCategories, sofas, 1), stool);
    expect(order(three)).toEqual(["chairs", "sofas", "stools"]);
    expect(order(withCategory(three, { ...stool, name: "Stools" }))).toEqual(order(three));
    expect(order(withCategory(three, stool, 0))).toEqual(["stools", "chairs", "sofas"]);
    expect(order(withCategory(three, { ...chairs, parent_id: null }))).toEqual(["sofas", "stools"]);
  });

  test("updates all descendants if its name or parent changes", () => {
    const renamed = someCategories.map((each) =>
      each === seating ? { ...each, name: "Seats" } : each,
    );
    const slugs = renamedCategories(someCategories, renamed).map(({ slug }) => slug);
    expect(slugs).toEqual(["seating", "chairs", "sofas"]);
    const moved = withCategory(someCategories, { ...chairs, parent_id: null });
    expect(renamedCategories(someCategories, moved).map(({ slug }) => slug)).toEqual(["chairs"]);
    expect(renamedCategories(someCategories, someCategories)).toEqual([]);
  });
});
