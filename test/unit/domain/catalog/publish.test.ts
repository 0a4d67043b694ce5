import { describe, expect, test } from "vitest";
import { withCurrentCategories } from "#shared/domain/catalog/publish.ts";
import { aPublishedProduct, aPublishedSofa, someCategories } from "#test/support/shop/builders.ts";

const renamed = someCategories.map((category) => ({ ...category, name: `${category.name}, new` }));
const moved = someCategories.map((category) => ({ ...category, parent_id: null }));

describe("a published copy that is updated after a change of categories", () => {
  test("has the current category names and is otherwise unchanged", () => {
    for (const published of [aPublishedProduct(), aPublishedSofa()]) {
      const copy = withCurrentCategories(published, renamed);
      expect(copy.category.name).toBe(`${published.category.name}, new`);
      expect(copy.category_path.map(({ name }) => name)).toEqual(
        published.category_path.map(({ name }) => `${name}, new`),
      );
      expect(withCurrentCategories(copy, someCategories)).toEqual(published);
    }
  });

  test("has the current path of its category", () => {
    expect(
      withCurrentCategories(aPublishedProduct(), moved).category_path.map(({ slug }) => slug),
    ).toEqual(["chairs"]);
  });

  test("is unchanged if its category does not exist", () => {
    const published = aPublishedProduct();
    expect(withCurrentCategories(published, [])).toBe(published);
  });
});
