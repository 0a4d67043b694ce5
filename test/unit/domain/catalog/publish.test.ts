import { describe, expect, test } from "vitest";
import { placedAnew } from "#shared/domain/catalog/publish.ts";
import { aPublishedProduct, aPublishedSofa, someCategories } from "#test/support/shop/builders.ts";

const renamed = someCategories.map((category) => ({ ...category, name: `${category.name}, new` }));
const moved = someCategories.map((category) => ({ ...category, parent_id: null }));

describe("a published copy placed anew", () => {
  test("has the names that its categories have now, and nothing else is different", () => {
    for (const published of [aPublishedProduct(), aPublishedSofa()]) {
      const copy = placedAnew(published, renamed);
      expect(copy.category.name).toBe(`${published.category.name}, new`);
      expect(copy.category_path.map(({ name }) => name)).toEqual(
        published.category_path.map(({ name }) => `${name}, new`),
      );
      expect(placedAnew(copy, someCategories)).toEqual(published);
    }
  });

  test("stands where its category stands", () => {
    expect(placedAnew(aPublishedProduct(), moved).category_path.map(({ slug }) => slug)).toEqual([
      "chairs",
    ]);
  });

  test("stays as it is where nothing is known of its category", () => {
    const published = aPublishedProduct();
    expect(placedAnew(published, [])).toBe(published);
  });
});
