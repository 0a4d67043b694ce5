import { describe, expect, test } from "vitest";
import { placedAnew } from "#shared/domain/publish.ts";
import { aLiveProduct, aLiveSofa, someCategories } from "#test/support/builders.ts";

const renamed = someCategories.map((category) => ({ ...category, name: `${category.name}, new` }));
const moved = someCategories.map((category) => ({ ...category, parent_id: null }));

describe("a live copy placed anew", () => {
  test("has the names that its categories have now, and nothing else is different", () => {
    for (const live of [aLiveProduct(), aLiveSofa()]) {
      const copy = placedAnew(live, renamed);
      expect(copy.category.name).toBe(`${live.category.name}, new`);
      expect(copy.category_path.map(({ name }) => name)).toEqual(
        live.category_path.map(({ name }) => `${name}, new`),
      );
      expect(placedAnew(copy, someCategories)).toEqual(live);
    }
  });

  test("stands where its category stands", () => {
    expect(placedAnew(aLiveProduct(), moved).category_path.map(({ slug }) => slug)).toEqual([
      "chairs",
    ]);
  });

  test("stays as it is where nothing is known of its category", () => {
    const live = aLiveProduct();
    expect(placedAnew(live, [])).toBe(live);
  });
});
