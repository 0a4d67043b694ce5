import { describe, expect, test } from "vitest";
import { Card, CatalogEntry } from "#shared/domain/catalog/card.ts";
import { productEntry, sofaEntry } from "#shared/domain/listing/catalog-entry.ts";
import { sofaCard } from "#shared/domain/sofa/sofa-card.ts";
import { SofaDetail, sofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import {
  aLevel,
  aPublishedProduct,
  aPublishedSofa,
  someMaterials,
} from "#test/support/shop/builders.ts";
import { anId } from "#test/support/shop/commerce.ts";

const product = aPublishedProduct();
const sofa = aPublishedSofa();

describe("a row of the catalog index", () => {
  test("contains every searchable property of a product", () => {
    const entry = productEntry(product, []);
    expect(CatalogEntry.parse(entry)).toEqual(entry);
    expect(entry).toMatchObject({
      facets: {
        category: ["chairs", "seating"],
        collection: ["monsoon"],
        room: ["living-room"],
        style: ["modern"],
        material: ["teak"],
        color: ["beige", "grey"],
        tag: ["new"],
      },
      labels: { material: { teak: { label: "Solid teak" } } },
      width_mm: 700,
      depth_mm: 780,
      height_mm: 820,
      in_stock: false,
      skus: ["CHR-OSLO-OAT", "CHR-OSLO-SLATE"],
      text: { body: "Made for long evenings & slow mornings." },
    });
    expect(entry.text.attributes).toContain("Slate");
  });

  test("has a round product's diameter as its width and depth, and no measure that is unknown", () => {
    const dimensions = {
      ...product.dimensions,
      width_mm: null,
      depth_mm: null,
      height_mm: null,
      diameter_mm: 900,
    };
    const table = { ...product, dimensions };
    expect(productEntry(table, [])).toMatchObject({
      width_mm: 900,
      depth_mm: 900,
      height_mm: null,
    });
  });

  test.each([
    ["Chairs", "Chairs", ["Seating", "Monsoon"]],
    ["Benches & Stools", "Stools", ["Benches & Stools", "Seating"]],
  ])(
    "of a stool in %s has its category's words once as its kind",
    (name, kind, [first, second]) => {
      const category = { slug: "any", name };
      const category_path = [category, { slug: "seating", name: "Seating" }];
      const entry = productEntry({ ...product, name: "Oslo Stool", category, category_path }, []);
      expect(entry.text.kind).toBe(kind);
      expect(entry.text.context.split("\n").slice(0, 2)).toEqual([first, second]);
    },
  );

  test("is in stock if any variant is", () => {
    const entry = productEntry(product, [aLevel(anId("var", 2), 1)]);
    expect(entry.in_stock).toBe(true);
  });

  test("contains what each variant answers: its own colour, and materials that no other variant has", () => {
    const values = ["oak", "walnut"].map((code) => ({ code, label: code, swatch: null }));
    const materials = ["oak", "walnut", "steel"].map((code) => ({ code, label: code }));
    const [oat, slate] = product.variants;
    const inTwoWoods = {
      ...product,
      materials,
      options: [...product.options, { code: "wood", label: "Wood", values }],
      variants: [
        { ...oat!, options: { color: "oat", wood: "walnut" } },
        { ...slate!, options: { color: "slate", wood: "oak" } },
      ],
    };
    const entry = productEntry(inTwoWoods, [aLevel(anId("var", 2), 9)]);
    expect(CatalogEntry.parse(entry)).toEqual(entry);
    expect(entry.variants).toMatchObject([
      {
        shown: { sku: "CHR-OSLO-SLATE" },
        color: ["grey"],
        material: ["oak", "steel"],
        swatch: "slate",
      },
      {
        shown: { sku: "CHR-OSLO-OAT" },
        color: ["beige"],
        material: ["walnut", "steel"],
        swatch: "oat",
      },
    ]);
    expect(entry.card).toMatchObject({ sku: "CHR-OSLO-SLATE" });
  });

  test("describes each look of a product by its label and its colour, if it has one", () => {
    const [color] = product.options;
    const [oat, slate] = color!.values;
    const colorless = { ...slate!, swatch: { ...slate!.swatch!, color_group: null } };
    const options = [{ ...color!, values: [oat!, colorless] }];
    const { looks } = productEntry({ ...product, options }, []);
    expect(looks.map(({ words }) => words.split("\n"))).toEqual([
      ["Oat", "Beige"],
      ["Slate", ""],
    ]);
  });

  test("leaves out colours and materials that no variant has", () => {
    const oatOnly = { ...product, variants: product.variants.slice(0, 1) };
    expect(productEntry(oatOnly, []).facets.color).toEqual(["beige"]);
  });

  test("contains a sofa's materials, seats and smallest measures", () => {
    const entry = sofaEntry(sofa, someMaterials);
    expect(CatalogEntry.parse(entry)).toEqual(entry);
    expect(entry).toMatchObject({
      facets: {
        material: ["sal", "fabric", "velvet", "leather"],
        color: ["beige", "green", "brown"],
      },
      seats: [2, 3, 5],
      width_mm: 700,
      depth_mm: 780,
      height_mm: 820,
      skus: [],
    });
  });
});

describe("the attributes of a sofa in the catalog index", () => {
  const [aSize] = sofa.option_groups;
  const labelsOf = (group: Partial<typeof aSize>) => {
    const option_groups = [{ ...aSize!, ...group }];
    return sofaEntry({ ...sofa, option_groups }, someMaterials).text.attributes.split("\n");
  };

  test("contain the labels of its sizes and of what a buyer must choose", () => {
    expect(labelsOf({ code: "size", required: false })).toContain("two-seater");
    expect(labelsOf({ code: "legs", required: true })).toContain("two-seater");
  });

  test("do not contain extras, which not every sofa of the model has", () => {
    expect(labelsOf({ code: "extras", required: false })).not.toContain("two-seater");
  });
});

describe("a published sofa", () => {
  test("is made to order and has the price of the cheapest configuration", () => {
    const card = sofaCard(sofa, someMaterials);
    expect(Card.parse(card)).toEqual(card);
    expect(card).toMatchObject({
      price: priceSofa(sofa, someMaterials, {}).price,
      price_from: true,
      availability: { state: "made_to_order" },
    });
  });

  test("is out of stock if none of its materials is available", () => {
    expect(sofaCard(sofa, new Map())).toMatchObject({
      price: 6_500_000,
      availability: { state: "out_of_stock" },
    });
  });

  test("lists only published materials, by name, in its detail", () => {
    const published = new Map([...someMaterials].filter(([code]) => code !== "leather-tan"));
    const detail = sofaDetail(sofa, published);
    const values = detail.option_groups.find(({ code }) => code === "upholstery")?.values;
    expect(
      SofaDetail.omit({ breadcrumbs: true, json_ld: true, seo: true }).parse(detail),
    ).toMatchObject({
      variants: [],
      default_configuration: { size: "two-seater", upholstery: "linen-oat", legs: "oak" },
    });
    expect(values).toMatchObject([
      { code: "linen-oat", label: "Linen, Oat", price_per_meter: 145_000, available: true },
      { code: "velvet-moss", lead_time_days: 12 },
      { code: "linen-rust", available: false },
    ]);
  });
});
