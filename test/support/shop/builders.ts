import { drawingOf } from "./uploads.ts";
import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { Category } from "#shared/domain/catalog/category.ts";
import { type Material, publishMaterial } from "#shared/domain/catalog/material.ts";
import type { Product, Sellable, Variant } from "#shared/domain/catalog/product.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import { publishSofa } from "#shared/domain/sofa/sofa-model.ts";
import type { OptionGroup, Sofa, SofaRule, SofaValue } from "#shared/domain/sofa/sofa.ts";
import type { StockLevel } from "#shared/domain/catalog/availability.ts";
import { anId, noon } from "./commerce.ts";

const then = noon.toISOString();

export const someCategories: Category[] = [
  aCategory({ id: anId("cat", 1), slug: "seating", name: "Seating" }),
  aCategory({ id: anId("cat", 2), slug: "chairs", name: "Chairs", parent_id: anId("cat", 1) }),
  aCategory({ id: anId("cat", 3), slug: "sofas", name: "Sofas", parent_id: anId("cat", 1) }),
  aCategory({ id: anId("cat", 4), kind: "room", slug: "living-room", name: "Living room" }),
  aCategory({ id: anId("cat", 5), kind: "style", slug: "modern", name: "Modern" }),
  aCategory({ id: anId("cat", 6), kind: "collection", slug: "monsoon", name: "Monsoon" }),
];

export function aCategory(overrides: Partial<Category> = {}): Category {
  return {
    id: anId("cat"),
    kind: "category",
    slug: "seating",
    name: "Seating",
    image: null,
    description_html: "",
    parent_id: null,
    position: 0,
    version: 1,
    ...overrides,
  };
}

function aSellable(): Omit<Sellable, "id"> {
  return {
    status: "draft",
    slug: "oslo-lounge-chair",
    name: "Oslo Lounge Chair",
    subtitle: "Solid teak, woven seat",
    brand: null,
    description_html: "<p>Made for <strong>long</strong> evenings &amp; slow mornings.</p>",
    category_slug: "chairs",
    collection_slug: "monsoon",
    rooms: ["living-room"],
    styles: ["modern"],
    tags: ["new"],
    badges: ["New"],
    currency: "INR",
    media: [
      {
        id: anId("med"),
        type: "image",
        role: "main",
        url: drawingOf("products/kaveri-lounge-chair/1"),
        alt: "The chair from the front",
        width: 1600,
        height: 1200,
      },
    ],
    dimensions: {
      width_mm: 700,
      depth_mm: 780,
      height_mm: 820,
      seat_height_mm: 400,
      seat_depth_mm: 520,
      arm_height_mm: null,
      diameter_mm: null,
      weight_g: 14_000,
    },
    packages: [],
    materials: [{ code: "teak", label: "Solid teak" }],
    care: [],
    assembly: { required: false, minutes: null, people: null, manual_url: null },
    warranty: [{ component: "Frame", months: 60 }],
    delivery_classes: ["bulky"],
    cod_eligible: true,
    tax_class: "furniture",
    hsn_code: "9401",
    seo: { title: null, description: null },
    lead_time: { min_days: 3, max_days: 7 },
    related_ids: [],
    popularity: 10,
    ...noTimes,
    version: 1,
    published_at: null,
    created_at: then,
    updated_at: then,
  };
}

export function aVariant(overrides: Partial<Variant> = {}): Variant {
  return {
    id: anId("var"),
    sku: "CHR-OSLO-OAT",
    options: { color: "oat" },
    price: 2_499_000,
    compare_at_price: null,
    cost: 1_100_000,
    weight_g: 14_000,
    packages: null,
    media_ids: [anId("med")],
    ...overrides,
  };
}

/** A publishable draft with two colours, one of them more expensive. */
export function aProduct(overrides: Partial<Product> = {}): Product {
  return {
    ...aSellable(),
    id: anId("prd"),
    options: [
      {
        code: "color",
        label: "Colour",
        values: [
          {
            code: "oat",
            label: "Oat",
            swatch: { hex: "#e8dcc4", image: null, color_group: "beige" },
          },
          {
            code: "slate",
            label: "Slate",
            swatch: { hex: "#4a5058", image: null, color_group: "grey" },
          },
        ],
      },
    ],
    variants: [
      aVariant(),
      aVariant({
        id: anId("var", 2),
        sku: "CHR-OSLO-SLATE",
        options: { color: "slate" },
        price: 2_699_000,
        compare_at_price: 2_999_000,
      }),
    ],
    backorder_lead_time: null,
    ...overrides,
  };
}

export function aMaterial(overrides: Partial<Material> = {}): Material {
  return {
    id: anId("mat"),
    code: "linen-oat",
    status: "published",
    name: "Linen, Oat",
    family: "Harbour Linen",
    type: "fabric",
    grade: "B",
    currency: "INR",
    price_per_meter: 145_000,
    color: { name: "Oat", hex: "#e8dcc4", group: "beige" },
    composition: [{ name: "Linen", share_bps: 10_000 }],
    martindale: 22_000,
    cleaning_code: "S",
    pet_friendly: false,
    swatch: {
      url: drawingOf("materials/everyday-shield-dune"),
      sku: "SWT-LINEN-OAT",
      price: 9_900,
    },
    availability: "in_stock",
    lead_time_days: 5,
    version: 1,
    published_at: then,
    created_at: then,
    updated_at: then,
    ...overrides,
  };
}

export const someMaterials = new Map(
  [
    aMaterial(),
    aMaterial({
      id: anId("mat", 2),
      code: "velvet-moss",
      name: "Velvet, Moss",
      type: "velvet",
      price_per_meter: 210_050,
      color: { name: "Moss", hex: "#5a6b3c", group: "green" },
      lead_time_days: 12,
    }),
    aMaterial({
      id: anId("mat", 3),
      code: "leather-tan",
      name: "Leather, Tan",
      type: "leather",
      price_per_meter: 480_000,
      color: { name: "Tan", hex: "#a9744f", group: "brown" },
    }),
    aMaterial({ id: anId("mat", 4), code: "linen-rust", availability: "out_of_stock" }),
  ].map((material) => [material.code, publishMaterial(material)]),
);

export function aValue(code: string, overrides: Partial<SofaValue> = {}): SofaValue {
  return {
    code,
    label: code,
    media: null,
    swatch: null,
    price_rule: null,
    lead_time_days: null,
    dimensions: null,
    packages: null,
    fabric_meters: null,
    seats: null,
    ...overrides,
  };
}

export function aGroup(
  code: string,
  values: readonly (string | SofaValue)[],
  overrides: Partial<OptionGroup> = {},
): OptionGroup {
  return {
    code,
    label: code,
    help: null,
    input: "single",
    required: false,
    default: null,
    min: null,
    max: null,
    step: null,
    values: values.map((value) => (typeof value === "string" ? aValue(value) : value)),
    ...overrides,
  };
}

export function aRule(
  when: readonly [option: string, ...values: string[]],
  effect: SofaRule["then"]["effect"],
  then: readonly [option: string, ...values: string[]],
): SofaRule {
  const [cause, ...causes] = when;
  const [target, ...values] = then;
  return {
    id: [cause, ...causes, effect, target, ...values].join("-").slice(0, 60),
    when: { option: cause, in: causes },
    then: { effect, option: target, values },
    message: `${cause} and ${target} do not go together like this.`,
  };
}

const noDimensions = {
  width_mm: null,
  depth_mm: null,
  height_mm: null,
  seat_height_mm: null,
  seat_depth_mm: null,
  arm_height_mm: null,
  diameter_mm: null,
  weight_g: null,
};

const perMeter = { price_rule: { type: "per_meter" } } as const;

/** A publishable draft with every input type, every price rule and two rules. */
export function aSofa(overrides: Partial<Sofa> = {}): Sofa {
  return {
    ...aSellable(),
    id: anId("sofa"),
    slug: "kochi-sofa",
    name: "Kochi Sofa",
    category_slug: "sofas",
    materials: [{ code: "sal", label: "Sal wood frame" }],
    lead_time: { min_days: 28, max_days: 35 },
    model_version: 1,
    base_price: 6_500_000,
    compare_at_price: null,
    fabric_meters: 8.25,
    seats: 2,
    option_groups: [
      aGroup(
        "size",
        [
          aValue("two-seater", { seats: 2 }),
          aValue("three-seater", {
            seats: 3,
            price_rule: { type: "fixed", amount: 1_200_000 },
            fabric_meters: 2.4,
            dimensions: { ...noDimensions, width_mm: 2_180 },
          }),
          aValue("corner", {
            seats: 5,
            price_rule: { type: "percent_of_base", bps: 4_555 },
            fabric_meters: 5.55,
            dimensions: { ...noDimensions, width_mm: 2_900, depth_mm: 1_700 },
          }),
        ],
        { required: true, default: "two-seater" },
      ),
      aGroup("orientation", ["left", "right"]),
      aGroup(
        "upholstery",
        ["linen-oat", "velvet-moss", "leather-tan", "linen-rust"].map((code) =>
          aValue(code, { label: null, ...perMeter }),
        ),
        { input: "material", required: true, default: "linen-oat" },
      ),
      aGroup("legs", ["oak", aValue("brass", { price_rule: { type: "fixed", amount: 180_000 } })], {
        required: true,
        default: "oak",
      }),
      aGroup(
        "extras",
        [
          aValue("usb-port", { price_rule: { type: "per_unit", amount: 250_000 } }),
          aValue("storage", { price_rule: { type: "fixed", amount: 600_000 }, lead_time_days: 9 }),
          "piping",
        ],
        { input: "multiple", max: 2 },
      ),
      aGroup(
        "cushions",
        [
          aValue("cushion", {
            price_rule: { type: "per_unit", amount: 95_000 },
            fabric_meters: 0.35,
          }),
        ],
        { input: "number", min: 0, max: 6, step: 2 },
      ),
    ],
    rules: [
      aRule(["size", "corner"], "require", ["orientation", "left", "right"]),
      aRule(["upholstery", "leather-tan"], "forbid", ["extras", "piping"]),
      aRule(["size", "two-seater", "three-seater"], "forbid", ["orientation", "left", "right"]),
    ],
    ...overrides,
  };
}

/** A product as published. */
export function aPublishedProduct(overrides: Partial<Product> = {}) {
  const published = publishProduct(aProduct(overrides), someCategories, noon);
  if (!published.ok) throw new Error(JSON.stringify(published.problems));
  return published.published;
}

/** A sofa as published. */
export function aPublishedSofa(overrides: Partial<Sofa> = {}) {
  const published = publishSofa(aSofa(overrides), someCategories, noon);
  if (!published.ok) throw new Error(JSON.stringify(published.problems));
  return published.published;
}

export function aLevel(
  id: string,
  available: number,
  overrides: Partial<StockLevel> = {},
): StockLevel {
  return { id, available, policy: "deny", low_stock_threshold: 3, ...overrides };
}

export function aCard(overrides: Partial<Card> = {}): Card {
  return {
    id: anId("prd"),
    kind: "product",
    slug: "oslo-lounge-chair",
    name: "Oslo Lounge Chair",
    subtitle: null,
    category: { slug: "chairs", name: "Chairs" },
    variant_id: null,
    sku: null,
    image: null,
    currency: "INR",
    price: 2_499_000,
    compare_at_price: null,
    price_from: false,
    badges: [],
    swatches: [],
    availability: { state: "in_stock", quantity: null, lead_time: { min_days: 3, max_days: 7 } },
    ...overrides,
  };
}
