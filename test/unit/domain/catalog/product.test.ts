import { drawingOf } from "#test/support/shop/uploads.ts";
import { describe, expect, test } from "vitest";
import { LeadTime } from "#shared/domain/catalog/availability.ts";
import { StoredPicture } from "#shared/domain/upload/media.ts";
import { PublishedProduct, type Product } from "#shared/domain/catalog/product.ts";
import { ProductDetail, productDetail } from "#shared/domain/catalog/product-detail.ts";
import { checkProduct } from "#shared/domain/catalog/product-problems.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import {
  aLevel,
  aPublishedProduct,
  aProduct,
  aVariant,
  someCategories,
} from "#test/support/shop/builders.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

test("a lead time may be from no day to a year, and the alt text of a picture 200 characters", () => {
  const [none, year] = [0, 365].map((days) => ({ min_days: days, max_days: days }));
  for (const time of [none, year]) expect(LeadTime.safeParse(time).success).toBe(true);
  for (const [min_days, max_days] of [
    [-1, 5],
    [0, -1],
    [0, 366],
    [366, 366],
  ] as const)
    expect(LeadTime.safeParse({ min_days, max_days }).success).toBe(false);
  const alt = StoredPicture.shape.alt;
  expect([200, 201].map((count) => alt.safeParse("a".repeat(count)).success)).toEqual([
    true,
    false,
  ]);
});

describe("the validation of a product", () => {
  test("accepts a valid product", () => {
    expect(checkProduct(aProduct(), someCategories)).toEqual([]);
  });

  test.each<[string, Partial<Product>, string[]]>([
    ["a product without variants", { variants: [] }, ["variants"]],
    ["an unknown category", { category_slug: "boats" }, ["category_slug"]],
    ["a style in the list of rooms", { rooms: ["living-room", "modern"] }, ["rooms.1"]],
    ["an unknown collection", { collection_slug: "winter" }, ["collection_slug"]],
    [
      "a variant without a required option",
      { variants: [aVariant({ options: {} })] },
      ["variants.0.options.color"],
    ],
    [
      "an option value that does not exist",
      { variants: [aVariant({ options: { color: "pink" } })] },
      ["variants.0.options.color"],
    ],
    [
      "an unknown option, even one named like an object property",
      { variants: [aVariant({ options: { color: "oat", constructor: "x" } })] },
      ["variants.0.options.constructor"],
    ],
    [
      "two variants with the same options",
      { variants: [aVariant(), aVariant({ id: anId("var", 2), sku: "B" })] },
      ["variants.1.options"],
    ],
    [
      "a duplicate SKU or variant id",
      { variants: [aVariant(), aVariant({ options: { color: "slate" } })] },
      ["variants.1.id", "variants.1.sku"],
    ],
    [
      "a compare-at price that is not above the price",
      { variants: [aVariant({ compare_at_price: 2_499_000 })] },
      ["variants.0.compare_at_price"],
    ],
    [
      "a picture that the product does not have",
      { variants: [aVariant({ media_ids: [anId("med", 9)] })] },
      ["variants.0.media_ids.0"],
    ],
    ["the product itself as a related item", { related_ids: [anId("prd")] }, ["related_ids.0"]],
    [
      "a maximum lead time below the minimum",
      { lead_time: { min_days: 9, max_days: 2 } },
      ["lead_time.max_days"],
    ],
  ])("refuses %s at the path of the error", (_fault, overrides, paths) => {
    expect(checkProduct(aProduct(overrides), someCategories).map(({ path }) => path)).toEqual(
      paths,
    );
    expect(publishProduct(aProduct(overrides), someCategories, noon).ok).toBe(false);
  });
});

describe("the published copy of a product", () => {
  test("is complete, has its category path and omits staff-only members", () => {
    const published = aPublishedProduct();
    expect(PublishedProduct.parse(published)).toEqual(published);
    expect(published).toMatchObject({
      category: { slug: "chairs", name: "Chairs" },
      category_path: [{ slug: "chairs" }, { slug: "seating" }],
      rooms: [{ slug: "living-room", name: "Living room" }],
      published_at: noon.toISOString(),
    });
    expect(JSON.stringify(published)).not.toMatch(/cost|created_at|"status"/);
  });

  test("keeps the date of its first publication", () => {
    const first = "2025-01-01T00:00:00.000Z";
    expect(aPublishedProduct({ published_at: first }).published_at).toBe(first);
  });
});

describe("the detail of a product", () => {
  const published = aPublishedProduct({ backorder_lead_time: { min_days: 30, max_days: 45 } });

  test("contains each variant's availability, and the number of units only while stock is low", () => {
    const detail = productDetail(published, [
      aLevel(anId("var"), 137),
      aLevel(anId("var", 2), 0, { policy: "backorder" }),
    ]);
    expect(detail.availability.state).toBe("in_stock");
    expect(detail.variants.map(({ availability }) => availability)).toEqual([
      { state: "in_stock", quantity: null, lead_time: { min_days: 3, max_days: 7 } },
      { state: "backorder", quantity: null, lead_time: { min_days: 30, max_days: 45 } },
    ]);
    expect(
      JSON.stringify(
        ProductDetail.omit({ breadcrumbs: true, json_ld: true, seo: true }).parse(detail),
      ),
    ).not.toContain("137");
  });

  test("contains the number of units, at most nine, while stock is low, and so does the card", () => {
    const few = { low_stock_threshold: 20 };
    const detail = productDetail(published, [
      aLevel(anId("var"), 4, few),
      aLevel(anId("var", 2), 9, few),
    ]);
    expect(detail.variants.map(({ availability }) => availability.quantity)).toEqual([4, 9]);
    expect(detail).toMatchObject({
      sku: "CHR-OSLO-OAT",
      availability: { state: "low_stock", quantity: 4 },
    });
    const many = productDetail(published, [aLevel(anId("var"), 12, few)]);
    expect(many.availability).toMatchObject({ state: "low_stock", quantity: null });
  });

  test("shows the cheapest variant that can be bought, or the cheapest if none can", () => {
    const card = (oat: number, slate: number, slateOverrides = {}) =>
      productDetail(published, [
        aLevel(anId("var"), oat),
        aLevel(anId("var", 2), slate, slateOverrides),
      ]);
    const oat = { sku: "CHR-OSLO-OAT", variant_id: published.variants[0]!.id, price: 2_499_000 };
    const slate = { sku: "CHR-OSLO-SLATE", price: 2_699_000, compare_at_price: 2_999_000 };
    expect(card(9, 9)).toMatchObject({ ...oat, price_from: true });
    expect(card(0, 9)).toMatchObject({
      ...slate,
      price_from: false,
      availability: { state: "in_stock" },
    });
    expect(card(0, 0, { policy: "backorder" })).toMatchObject({
      ...slate,
      availability: { state: "backorder" },
    });
    expect(card(0, 0)).toMatchObject({ ...oat, availability: { state: "out_of_stock" } });
  });

  test("shows a variant without a stock row as unavailable", () => {
    expect(productDetail(published, []).availability.state).toBe("out_of_stock");
  });

  test('shows the price of the cheapest variant as the "from" price', () => {
    expect(productDetail(published, [])).toMatchObject({
      price: 2_499_000,
      compare_at_price: null,
      price_from: true,
      image: { url: drawingOf("products/kaveri-lounge-chair/1") },
      swatches: [{ code: "oat", hex: "#e8dcc4" }, { code: "slate" }],
    });
  });
});
