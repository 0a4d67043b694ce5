import { describe, expect, test } from "vitest";
import {
  PublishedMaterial,
  matchesFilter,
  publishMaterial,
  usageBand,
} from "#shared/domain/catalog/material.ts";
import { aMaterial } from "#test/support/shop/builders.ts";

describe("the usage band of a fabric", () => {
  test.each([
    [0, "decorative"],
    [9_999, "decorative"],
    [10_000, "light_domestic"],
    [14_999, "light_domestic"],
    [15_000, "general_domestic"],
    [24_999, "general_domestic"],
    [25_000, "heavy_domestic"],
    [29_999, "heavy_domestic"],
    [30_000, "commercial"],
    [100_000, "commercial"],
  ])("is derived from its rub count: %i is %s", (martindale, band) => {
    expect(usageBand(martindale)).toBe(band);
  });
});

describe("a published material", () => {
  test("has its usage band and omits staff-only members", () => {
    const published = publishMaterial(aMaterial());
    expect(PublishedMaterial.parse(published)).toEqual(published);
    expect(published.usage_band).toBe("general_domestic");
    expect(Object.keys(published)).not.toContain("status");
  });

  test("has no usage band without a rub count", () => {
    expect(publishMaterial(aMaterial({ type: "wood", martindale: null })).usage_band).toBeNull();
  });
});

test("a material matches a filter if it has any of the filter's values, and must match all filters", () => {
  const linen = aMaterial();
  expect(matchesFilter(linen, {})).toBe(true);
  expect(matchesFilter(linen, { type: ["velvet", "fabric"], color: ["beige"] })).toBe(true);
  expect(matchesFilter(linen, { type: ["fabric"], grade: ["A"] })).toBe(false);
  expect(matchesFilter(linen, { pet_friendly: true })).toBe(false);
  expect(matchesFilter(linen, { pet_friendly: false })).toBe(true);
});
