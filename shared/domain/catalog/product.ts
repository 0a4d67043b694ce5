import * as z from "zod";
import { type RecordReference, sellablesAt } from "../base/references.ts";
import { LeadTime } from "./availability.ts";
import { CategoryRef } from "./category.ts";
import { Id } from "../base/ids.ts";
import { ColorGroup, Hex } from "./material.ts";
import { MediaAddress, ProductMedia } from "../upload/media.ts";
import { Currency, Money } from "../base/money.ts";
import { Code, HsnCode, PublicationStatus, Sku, Slug } from "../base/names.ts";
import { Warranty } from "./warranty.ts";
import { publicationTimes } from "../base/publication-times.ts";
import { Html, MultilineText, Text, Timestamp } from "../base/text.ts";
import { type SellingTerms, Stock, StockPolicy, usualTerms } from "./stock.ts";

const Millimetres = z.int().min(0).max(20_000);
const Grams = z.int().min(0).max(2_000_000);

export const Dimensions = z.strictObject({
  width_mm: Millimetres.nullable(),
  depth_mm: Millimetres.nullable(),
  height_mm: Millimetres.nullable(),
  seat_height_mm: Millimetres.nullable(),
  seat_depth_mm: Millimetres.nullable(),
  arm_height_mm: Millimetres.nullable(),
  diameter_mm: Millimetres.nullable(),
  weight_g: Grams.nullable(),
});
export type Dimensions = z.output<typeof Dimensions>;

export const Package = z.strictObject({
  label: Text(80),
  width_mm: Millimetres,
  depth_mm: Millimetres,
  height_mm: Millimetres,
  weight_g: Grams,
});
export type Package = z.output<typeof Package>;

/** The packages of a variant or of a value of a sofa's option. */
export const OwnPackages = z
  .array(Package)
  .max(20)
  .nullable()
  .default(null)
  .meta({ description: "Packages instead of the product's or sofa's; null keeps those" });

/** The look of a colour or material. The colour filter uses `color_group`. */
export const OptionSwatch = z.strictObject({
  hex: Hex.nullable(),
  image: MediaAddress.nullable(),
  color_group: ColorGroup.nullable(),
});
export type OptionSwatch = z.output<typeof OptionSwatch>;

export const Seo = z.strictObject({
  title: Text(120).nullable(),
  description: Text(320).nullable(),
});
export type Seo = z.output<typeof Seo>;

/** The maker of a product or sofa. */
export const Brand = Text(80)
  .nullable()
  .default(null)
  .meta({ description: "null if made by the shop", example: "Nordic Works" });

/** The members that products and sofas share, as staff edit them. */
export const Sellable = z.object({
  id: z.union([Id("prd"), Id("sofa")]),
  status: PublicationStatus,
  slug: Slug,
  name: Text(120),
  subtitle: Text(160).nullable(),
  brand: Brand,
  description_html: Html(20_000),
  category_slug: Slug,
  collection_slug: Slug.nullable(),
  rooms: z.array(Slug).max(20),
  styles: z.array(Slug).max(20),
  tags: z.array(Code).max(30),
  badges: z.array(Text(40)).max(6),
  currency: Currency,
  media: z.array(ProductMedia).max(40),
  dimensions: Dimensions,
  packages: z.array(Package).max(20),
  materials: z.array(z.strictObject({ code: Code, label: Text(120) })).max(20),
  care: z.array(z.strictObject({ title: Text(80), body: MultilineText(1_000) })).max(20),
  assembly: z.strictObject({
    required: z.boolean(),
    minutes: z.int().min(0).max(1_440).nullable(),
    people: z.int().min(1).max(10).nullable(),
    manual_url: MediaAddress.nullable(),
  }),
  warranty: z.array(Warranty).max(10),
  delivery_classes: z.array(Code).max(10),
  cod_eligible: z.boolean(),
  tax_class: Code,
  hsn_code: HsnCode.nullable(),
  seo: Seo,
  lead_time: LeadTime,
  related_ids: z
    .array(z.union([Id("prd"), Id("sofa")]))
    .max(30)
    .meta({ description: "Related items that staff picked, best first" }),
  popularity: z.int().min(0).max(1_000_000_000),
  version: z.int().min(1),
  ...publicationTimes,
  published_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Sellable = z.output<typeof Sellable>;

/**
 * The references of products and sofas other than categories: tax class, and the related products that staff picked. A
 * record's reference to itself is left out, because `checkSellable` refuses it.
 */
export const sellableReferences = ({ id: own, tax_class, related_ids }: Sellable) => [
  { path: "tax_class", kind: "tax_class", id: tax_class } satisfies RecordReference,
  ...sellablesAt("related_ids", related_ids).filter(({ id }) => id !== own),
];

/** The references of products and sofas to categories of each kind. */
export const categoryReferences = (sellable: Sellable): RecordReference[] => {
  const { category_slug, collection_slug, rooms, styles } = sellable;
  return [
    { path: "category_slug", kind: "category", id: category_slug },
    ...(collection_slug === null
      ? []
      : [{ path: "collection_slug", kind: "collection" as const, id: collection_slug }]),
    ...rooms.map((id, index) => ({ path: `rooms.${index}`, kind: "room" as const, id })),
    ...styles.map((id, index) => ({ path: `styles.${index}`, kind: "style" as const, id })),
  ];
};

/** The members that only staff see, or that only drafts have. */
const workingOnly = {
  status: true,
  category_slug: true,
  collection_slug: true,
  rooms: true,
  styles: true,
  publish_at: true,
  unpublish_at: true,
  created_at: true,
} as const;

/** The members that published copies of products and sofas share. Categories come with their names. */
export const PublishedSellable = Sellable.omit(workingOnly).extend({
  category: CategoryRef,
  category_path: z.array(CategoryRef).meta({ description: "The category, then all its parents" }),
  collection: CategoryRef.nullable(),
  rooms: z.array(CategoryRef),
  styles: z.array(CategoryRef),
  published_at: Timestamp,
});
export type PublishedSellable = z.output<typeof PublishedSellable>;

export const ProductOption = z.strictObject({
  code: Code,
  label: Text(60),
  values: z
    .array(z.strictObject({ code: Code, label: Text(60), swatch: OptionSwatch.nullable() }))
    .min(1)
    .max(60),
});
export type ProductOption = z.output<typeof ProductOption>;

/** One purchasable combination: a value for every option, with its own SKU and stock. */
export const Variant = z.object({
  id: Id("var"),
  sku: Sku,
  options: z.record(Code, Code).meta({ description: "Option code → value code" }),
  price: Money,
  compare_at_price: Money.nullable(),
  cost: Money.nullable().meta({
    description: "What one unit costs the shop; visible to staff only",
  }),
  weight_g: Grams,
  packages: OwnPackages,
  media_ids: z.array(Id("med")).max(20),
});
export type Variant = z.output<typeof Variant>;

/** A product as staff edit it: the draft. */
export const Product = Sellable.extend({
  id: Id("prd"),
  options: z.array(ProductOption).max(5),
  variants: z.array(Variant).max(100),
  backorder_lead_time: LeadTime.nullable().meta({
    description: "Lead time of units sold beyond the stock; if null, the usual lead time applies",
  }),
});
export type Product = z.output<typeof Product>;

/** A product as last published, without what it costs the shop. */
export const PublishedProduct = PublishedSellable.extend({
  id: Id("prd"),
  kind: z.literal("product"),
  options: Product.shape.options,
  variants: z.array(Variant.omit({ cost: true })).min(1),
  backorder_lead_time: LeadTime.nullable(),
});
export type PublishedProduct = z.output<typeof PublishedProduct>;

type Named = Pick<Product, "name" | "options">;
type Chosen = Pick<Product["variants"][number], "options">;

/** The labels of a variant's option values. */
export const variantLabels = ({ options }: Pick<Named, "options">, variant: Chosen): string[] =>
  options.flatMap(
    ({ code, values }) => values.find((value) => value.code === variant.options[code])?.label ?? [],
  );

/** The full name of a variant, such as "Lounge Chair, Oat". */
export const variantName = (product: Named, variant: Chosen): string =>
  [product.name, ...variantLabels(product, variant)].join(", ");

/** A product as staff edit it, with each variant's selling terms. */
export const AdminProduct = Product.extend({
  variants: z.array(
    Variant.extend({
      policy: StockPolicy,
      low_stock_threshold: Stock.shape.low_stock_threshold,
    }),
  ),
});
export type AdminProduct = z.output<typeof AdminProduct>;

/** @param rows the variants' selling terms, keyed by the variant's id */
export function adminProduct(
  product: Product,
  rows: ReadonlyMap<string, SellingTerms>,
): AdminProduct {
  const variants = product.variants.map((variant) => {
    const { policy, low_stock_threshold } = rows.get(variant.id) ?? usualTerms;
    return { ...variant, policy, low_stock_threshold };
  });
  return { ...product, variants };
}
