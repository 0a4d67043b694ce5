import { inWords } from "#shared/domain/base/names.ts";
import { ownSale } from "#shared/domain/base/sales-channel.ts";
import { drawingOf } from "#test/support/shop/uploads.ts";
import { describe, expect, test } from "vitest";
import type { StoredCartLine } from "#shared/domain/cart/cart.ts";
import {
  type CatalogFacts,
  materialsNow,
  refreshedLines,
  resolveLine,
} from "#shared/domain/cart/cart-lines.ts";
import { aPublishedProduct, aPublishedSofa, someMaterials } from "#test/support/shop/builders.ts";
import { aQuotedLine, aStockRow, anId, noon } from "#test/support/shop/commerce.ts";

type LineOf<Kind extends StoredCartLine["kind"]> = Extract<StoredCartLine, { kind: Kind }>;

const product = aPublishedProduct();
const sofa = aPublishedSofa();
const slate = "CHR-OSLO-SLATE";

const facts: CatalogFacts = {
  products: new Map([[product.id, product]]),
  sofas: new Map([[sofa.id, sofa]]),
  materials: someMaterials,
  stock: new Map([
    [anId("var", 2), aStockRow({ id: anId("var", 2), available: 4, low_stock_threshold: 5 })],
    ["linen-oat", aStockRow({ id: "linen-oat" })],
  ]),
  quotes: new Map([
    [
      anId("qte"),
      {
        id: anId("qte"),
        status: "accepted",
        revision: 2,
        payment_plan: "full",
        shipping_method: null,
        coupon: null,
        free_shipping: false,
        lead_id: null,
        ...ownSale,
      },
    ],
  ]),
};

const aProductLine = (overrides: Partial<LineOf<"product">> = {}): LineOf<"product"> => ({
  kind: "product",
  id: anId("line"),
  quantity: 2,
  unit_price: 2_500_000,
  product_id: product.id,
  variant_id: anId("var", 2),
  slug: product.slug,
  sku: slate,
  ...overrides,
});

const aSofaLine = (overrides: Partial<LineOf<"sofa">> = {}): LineOf<"sofa"> => ({
  kind: "sofa",
  id: anId("line"),
  quantity: 1,
  unit_price: 1,
  sofa_id: sofa.id,
  slug: sofa.slug,
  configuration: { size: "two-seater", upholstery: "linen-oat", legs: "oak" },
  configuration_id: "cfg_old",
  material_codes: ["linen-oat"],
  upload_ids: [],
  note: null,
  ...overrides,
});

const sale = { now: noon, currency: "INR" };

describe("a cart line of a product", () => {
  test("has the current price, the variant's name and the stock's availability", () => {
    expect(resolveLine(aProductLine(), facts, sale)).toMatchObject({
      requirement: null,
      line: {
        name: "Oslo Lounge Chair, Slate",
        unit_price: 2_699_000,
        last_price: 2_500_000,
        availability: { state: "low_stock", lead_time: product.lead_time },
        categories: ["chairs", "seating", "monsoon", "living-room", "modern"],
        image: { url: drawingOf("products/kaveri-lounge-chair/1") },
        made_to_order: false,
      },
    });
  });

  test("uses the product's own dimensions for delivery if the product has no packages", () => {
    expect(resolveLine(aProductLine(), facts, sale).line.parcels).toEqual([
      { weight_g: 14_000, volume_cm3: 447_720 },
    ]);
  });

  test("links to the product's current slug", () => {
    const stored = aProductLine({ slug: "oslo-chair-of-old" });
    const published = resolveLine(stored, facts, sale);
    expect(published).toMatchObject({ requirement: null, line: { slug: product.slug } });
    expect(refreshedLines([stored], [published], facts)).toMatchObject([{ slug: product.slug }]);
  });

  test.each([
    ["product was unpublished", { product_id: anId("prd", 9) }],
    ["variant was removed", { variant_id: anId("var", 9) }],
  ])("is unavailable and keeps its last price if its %s", (_, overrides) => {
    const { line, requirement } = resolveLine(aProductLine(overrides), facts, sale);
    expect(requirement).toMatchObject({ code: "unavailable", item_id: anId("line") });
    expect(line).toMatchObject({ unit_price: 2_500_000, availability: { state: "out_of_stock" } });
  });
});

test.each([
  ["product", inWords(product.slug), () => aProductLine()],
  ["sofa", inWords(sofa.slug), () => aSofaLine()],
  [
    "swatch",
    "Linen oat, sample",
    (): StoredCartLine => ({
      kind: "swatch",
      id: anId("line"),
      quantity: 1,
      unit_price: 0,
      material_code: "linen-oat",
      sku: "SWT-LINEN-OAT",
    }),
  ],
])(
  "a cart line of a %s that is no longer sold is named by what identifies it, and keeps its price",
  (_kind, name, stored) => {
    const before = resolveLine(stored(), facts, sale);
    const [written] = refreshedLines([stored()], [before], facts);
    const nothing = { ...facts, products: new Map(), sofas: new Map(), materials: new Map() };
    const after = resolveLine(written!, nothing, sale);
    const { unit_price } = before.line;
    expect(after.line).toMatchObject({ name, image: null, choices: [], unit_price });
    expect(after.requirement).toMatchObject({
      code: "unavailable",
      message: `${name} is no longer sold.`,
    });
    expect(JSON.stringify(written)).not.toContain(before.line.name);
    expect(refreshedLines([written!], [after], nothing)).toEqual([written]);
  },
);

describe("a cart line of a sofa", () => {
  test("is made to order at the published sofa model's price, whatever configuration id it was stored with", () => {
    const { line, requirement } = resolveLine(aSofaLine(), facts, sale);
    expect(requirement).toBeNull();
    expect(line).toMatchObject({
      made_to_order: true,
      availability: { state: "made_to_order", lead_time: { min_days: 33, max_days: 40 } },
      unit_price: 6_500_000 + (145_000 * 825) / 100,
    });
    expect(line.configuration_id).not.toBe("cfg_old");
    const parts = line.price_lines.reduce((sum, { amount }) => sum + amount, 0);
    expect(parts).toBe(line.unit_price);
  });

  test("names the materials of its configuration, and of the options that it leaves to the model", () => {
    const chosen = { size: "corner", upholstery: "velvet-moss", legs: "brass" };
    expect(materialsNow(sofa, chosen)).toEqual(["velvet-moss"]);
    expect(materialsNow(sofa, { size: "corner" })).toEqual(["linen-oat"]);
  });

  test("keeps its options as text, even if the sofa model no longer permits them", () => {
    const choicesOf = (size: string) => {
      const configuration = { size, upholstery: "linen-oat", legs: "oak" };
      return resolveLine(aSofaLine({ configuration }), facts, sale).line.choices;
    };
    const others = [
      { option: "upholstery", label: "upholstery", value: "Linen, Oat" },
      { option: "legs", label: "legs", value: "oak" },
    ];
    for (const size of ["two-seater", "corner"]) {
      expect(choicesOf(size)).toEqual([{ option: "size", label: "size", value: size }, ...others]);
    }
  });

  test("is unavailable with a reason and keeps its last price if the sofa model no longer permits it", () => {
    const configuration = { size: "corner", upholstery: "linen-oat", legs: "oak" };
    const { line, requirement } = resolveLine(aSofaLine({ configuration }), facts, sale);
    expect(requirement?.code).toBe("configuration_invalid");
    expect(line.unit_price).toBe(1);
  });
});

test("a swatch in the cart has the swatch price of its material and is in stock", () => {
  const line: LineOf<"swatch"> = {
    kind: "swatch",
    id: anId("line"),
    quantity: 1,
    unit_price: 9_900,
    material_code: "linen-oat",
    sku: "SWT-LINEN-OAT",
  };
  expect(resolveLine(line, facts, sale)).toMatchObject({
    requirement: null,
    line: { name: "Linen, Oat, sample", unit_price: 9_900, availability: { state: "in_stock" } },
  });
});

describe("a cart line from a quote", () => {
  test("keeps the options of its offer, and has none if it was stored without options", () => {
    const choices = [{ option: "legs", label: "Legs", value: "Oak" }];
    expect(resolveLine(aQuotedLine({ choices }), facts, sale).line.choices).toEqual(choices);
    const { choices: _none, ...old } = aQuotedLine();
    expect(resolveLine(old as StoredCartLine, facts, sale).line.choices).toEqual([]);
  });

  test("has the offer's price while the offer is valid", () => {
    expect(resolveLine(aQuotedLine(), facts, sale)).toMatchObject({
      requirement: null,
      line: { unit_price: 800_000, name: "Bench to measure", made_to_order: true },
    });
  });

  test("needs stock if it has a SKU", () => {
    const { line } = resolveLine(
      aQuotedLine({ sku: slate, variant_id: anId("var", 2) }),
      facts,
      sale,
    );
    expect(line).toMatchObject({ sku: slate, made_to_order: false, unit_price: 800_000 });
    expect(line.availability.state).toBe("low_stock");
  });

  test.each([
    ["has expired", { valid_until: noon.toISOString() }],
    ["has another revision", { revision: 1 }],
    ["no longer exists", { quote_id: anId("qte", 2) }],
  ])("cannot be ordered if the offer %s", (_how, change) => {
    const { requirement } = resolveLine(aQuotedLine(change), facts, sale);
    expect(requirement?.code).toBe("quote_expired");
  });
});

test("writing a cart updates the prices of all lines except unavailable ones", () => {
  const stored = [aProductLine(), aProductLine({ product_id: anId("prd", 9) }), aSofaLine()];
  const published = stored.map((line) => resolveLine(line, facts, sale));
  const fresh = refreshedLines(stored, published, facts);
  expect(fresh.map(({ unit_price }) => unit_price)).toEqual([
    2_699_000,
    2_500_000,
    published[2]?.line.unit_price,
  ]);
  expect(fresh[2]).toMatchObject({ configuration_id: published[2]?.line.configuration_id });
});
