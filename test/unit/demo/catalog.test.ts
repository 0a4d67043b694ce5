import { describe, expect, test } from "vitest";
import { demoShop } from "#infra/local/demo/demo-shop.ts";
import { AvailabilityState } from "#shared/domain/catalog/availability.ts";
import { sofaCard } from "#shared/domain/sofa/sofa-card.ts";
import { productCard } from "#shared/domain/catalog/product-card.ts";
import { Category, checkCategories } from "#shared/domain/catalog/category.ts";
import { sanitiseHtml } from "#shared/domain/base/html.ts";
import { Material, publishMaterial } from "#shared/domain/catalog/material.ts";
import { Product } from "#shared/domain/catalog/product.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import { publishSofa, checkSofaModel } from "#shared/domain/sofa/sofa-model.ts";
import { Sofa } from "#shared/domain/sofa/sofa.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { Stock } from "#shared/domain/catalog/stock.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const shop = await demoShop(now);
const sellables = [...shop.products, ...shop.sofas];
const materials = new Map(shop.materials.map((each) => [each.code, publishMaterial(each)]));

const unique = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);

describe("the demo catalog", () => {
  test("has at least 60 products, 8 sofas and 30 materials", () => {
    expect(shop.products.length).toBeGreaterThanOrEqual(60);
    expect(new Set(shop.products.map((each) => each.category_slug)).size).toBeGreaterThanOrEqual(8);
    expect(shop.sofas.length).toBeGreaterThanOrEqual(8);
    expect(shop.materials.length).toBeGreaterThanOrEqual(30);
    expect(new Set(shop.materials.map(({ type }) => type)).size).toBe(7);
    expect(new Set(shop.categories.map(({ kind }) => kind)).size).toBe(4);
  });

  test("contains only records that staff could have saved", () => {
    expect(shop.products.map((each) => Product.parse(each))).toEqual(shop.products);
    expect(shop.sofas.map((each) => Sofa.parse(each))).toEqual(shop.sofas);
    expect(shop.materials.map((each) => Material.parse(each))).toEqual(shop.materials);
    expect(shop.categories.map((each) => Category.parse(each))).toEqual(shop.categories);
    expect(shop.stock.map((each) => Stock.parse(each))).toEqual(shop.stock);
    expect(checkCategories(shop.categories)).toEqual([]);
  });

  test("is identical at every start", async () => {
    expect(JSON.stringify(await demoShop(now))).toBe(JSON.stringify(shop));
    const later = await demoShop(new Date("2027-03-01T00:00:00.000Z"));
    expect(later.products.map(({ id }) => id)).toEqual(shop.products.map(({ id }) => id));
  });

  test.each(shop.products.map((each) => [each.slug, each] as const))(
    "contains the published product %s, which passes the checks for publishing",
    (_slug, product) => {
      expect(publishProduct(product, shop.categories, now)).toMatchObject({ ok: true });
      expect(product.variants.length).toBeLessThanOrEqual(6);
      expect(product.published_at! <= now.toISOString()).toBe(true);
    },
  );

  test("has unique SKUs, slugs, material codes and ids", () => {
    const skus = shop.products.flatMap(({ variants }) => variants.map(({ sku }) => sku));
    const swatches = shop.materials.flatMap(({ swatch }) => swatch.sku ?? []);
    unique([...skus, ...swatches]);
    unique(shop.products.map(({ slug }) => slug));
    unique(shop.sofas.map(({ slug }) => slug));
    unique(shop.materials.map(({ code }) => code));
    unique([
      ...sellables.map(({ id }) => id),
      ...sellables.flatMap(({ media }) => media.map(({ id }) => id)),
      ...shop.products.flatMap(({ variants }) => variants.map(({ id }) => id)),
      ...shop.materials.map(({ id }) => id),
      ...shop.categories.map(({ id }) => id),
    ]);
  });

  test("has one stock row for every variant and sample, with the record that owns it", () => {
    const owners = new Map<string, unknown>([
      ...shop.products.flatMap(({ id, slug, variants }) =>
        variants.map((variant) => [variant.id, { kind: "product", id, slug }] as const),
      ),
      ...shop.materials.flatMap(({ id, code, swatch }) =>
        swatch.sku === null ? [] : [[code, { kind: "swatch", id, slug: code }] as const],
      ),
    ]);
    expect(new Map(shop.stock.map(({ id, owner }) => [id, owner]))).toEqual(owners);
    expect(shop.stock).toHaveLength(owners.size);
    expect(
      shop.stock.every(({ on_hand, reserved, available }) => available === on_hand - reserved),
    ).toBe(true);
  });

  test("contains products in every availability state", () => {
    const cards = shop.products.flatMap((product) => {
      const published = publishProduct(product, shop.categories, now);
      return published.ok ? [productCard(published.published, shop.stock)] : [];
    });
    const states = new Set([
      ...cards.map(({ availability }) => availability.state),
      "made_to_order" as const,
    ]);
    expect([...states].toSorted()).toEqual(AvailabilityState.options.toSorted());
  });

  test("has compare-at prices only above the price", () => {
    const reduced = shop.products.filter(({ variants }) => variants[0]?.compare_at_price);
    expect(reduced.length).toBeGreaterThan(10);
    for (const { price, compare_at_price, cost } of shop.products.flatMap(
      ({ variants }) => variants,
    )) {
      expect(compare_at_price ?? Infinity).toBeGreaterThan(price);
      expect(cost).toBeLessThan(price);
    }
  });

  test("lists only products of the shop as related products", () => {
    const ids = new Set<string>(sellables.map(({ id }) => id));
    const related = sellables.flatMap(({ related_ids }) => related_ids);
    expect(related.length).toBeGreaterThan(20);
    expect(related.filter((id) => !ids.has(id))).toEqual([]);
  });

  test("has HTML that the sanitiser does not change", () => {
    for (const { description_html } of [...sellables, ...shop.categories]) {
      expect(sanitiseHtml(description_html)).toBe(description_html);
    }
  });

  test("has descriptions for search engines that end with one full stop", () => {
    for (const { name, seo } of sellables) expect(seo.description, name).toMatch(/[^.]\.$/);
  });

  test("uses only tax and delivery classes that the settings define", () => {
    const { zones } = shop.settings.tax;
    for (const { tax_class, packages, hsn_code } of sellables) {
      expect(zones.every(({ classes }) => tax_class in classes)).toBe(true);
      expect(packages.length).toBeGreaterThan(0);
      expect(hsn_code).not.toBeNull();
    }
  });
});

describe.each(shop.sofas.map((each) => [each.name, each] as const))(
  "the demo sofa %s",
  (_name, sofa) => {
    const publication = publishSofa(sofa, shop.categories, now);
    if (!publication.ok) throw new Error(JSON.stringify(publication.problems));
    const { published } = publication;
    const first = priceSofa(published, materials, {});

    test("has a valid model, and a price for the default configuration", () => {
      expect(checkSofaModel(sofa)).toEqual([]);
      expect(first.errors).toEqual([]);
      expect(first.price).toBeGreaterThan(sofa.base_price);
    });

    test("offers only materials that exist", () => {
      const upholstery = sofa.option_groups.find(({ input }) => input === "material");
      expect(upholstery?.values.length).toBeGreaterThan(4);
      expect(upholstery?.values.filter(({ code }) => !materials.has(code))).toEqual([]);
    });

    test("has options for size, fabric, legs and comfort, and pricing rules of every kind", () => {
      const codes = sofa.option_groups.map(({ code }) => code);
      expect(codes).toEqual(
        expect.arrayContaining(["size", "upholstery", "legs", "seat_comfort", "extra_cushions"]),
      );
      const kinds = sofa.option_groups.flatMap(({ values }) =>
        values.map(({ price_rule }) => price_rule?.type),
      );
      expect(kinds).toEqual(
        expect.arrayContaining(["fixed", "per_unit", "percent_of_base", "per_meter"]),
      );
    });

    test("has a starting price below its compare-at price", () => {
      const card = sofaCard(published, materials);
      expect(card.availability.state).toBe("made_to_order");
      expect(card.compare_at_price ?? Infinity).toBeGreaterThan(card.price);
    });
  },
);

test("a corner sofa requires a side, and a leather sofa excludes removable covers", () => {
  const published = publishSofa(
    shop.sofas.find(({ slug }) => slug === "saanjh-sofa")!,
    shop.categories,
    now,
  );
  if (!published.ok) throw new Error("Saanjh is not for sale");
  const errors = (configuration: object) =>
    priceSofa(published.published, materials, configuration).errors.map(({ option }) => option);
  expect(errors({ size: "l-shape" })).toContain("orientation");
  expect(errors({ size: "l-shape", orientation: "left" })).toEqual([]);
  expect(errors({ size: "2-seater", orientation: "left" })).toContain("orientation");
  expect(errors({ upholstery: "ayur-vegan-chalk", covers: "removable" })).toContain("covers");
});
