import * as z from "zod";
import { Picture } from "../base/picture.ts";
import { Material } from "../catalog/material.ts";
import { mainPicture } from "../upload/media.ts";
import { Money } from "../base/money.ts";
import { type Product, Sellable } from "../catalog/product.ts";
import type { Sofa } from "../sofa/sofa.ts";
import { type Stock, Stock as StockSchema } from "../catalog/stock.ts";

/** A product or sofa in lists for staff. */
const AdminRow = Sellable.pick({
  id: true,
  status: true,
  slug: true,
  name: true,
  subtitle: true,
  category_slug: true,
  currency: true,
  version: true,
  published_at: true,
  updated_at: true,
}).extend({ image: Picture.nullable() });

export const AdminProductRow = AdminRow.extend({
  kind: z.literal("product"),
  price: Money.nullable().meta({
    description: "Price of the cheapest variant; null if the product has no variants",
  }),
  skus: z.array(z.string()),
});
export type AdminProductRow = z.output<typeof AdminProductRow>;

export const AdminSofaRow = AdminRow.extend({
  kind: z.literal("sofa"),
  price: Money.meta({ description: "The base price" }),
  model_version: z.int(),
});
export type AdminSofaRow = z.output<typeof AdminSofaRow>;

export const AdminMaterialRow = Material.extend({ kind: z.literal("material") });
export type AdminMaterialRow = z.output<typeof AdminMaterialRow>;

/** The SKU of stock and its product or material, as the inventory names them. */
export const StockedItem = z.object({
  sku: z.string(),
  product: z.object({
    kind: z.enum(["product", "material"]),
    id: z.string(),
    slug: z.string(),
    name: z.string(),
  }),
  variant: z
    .object({ id: z.string(), label: z.string() })
    .nullable()
    .meta({ description: "null for a material" }),
});
export type StockedItem = z.output<typeof StockedItem>;

export const InventoryRow = StockedItem.extend(
  StockSchema.pick({
    on_hand: true,
    reserved: true,
    available: true,
    policy: true,
    low_stock_threshold: true,
    version: true,
    updated_at: true,
  }).shape,
);
export type InventoryRow = z.output<typeof InventoryRow>;

const rowMembers = (record: Product | Sofa) => ({
  id: record.id,
  status: record.status,
  slug: record.slug,
  name: record.name,
  subtitle: record.subtitle,
  category_slug: record.category_slug,
  currency: record.currency,
  version: record.version,
  published_at: record.published_at,
  updated_at: record.updated_at,
  image: mainPicture(record.media),
});

export const adminProductRow = (product: Product): AdminProductRow => ({
  ...rowMembers(product),
  kind: "product",
  price:
    product.variants.length > 0 ? Math.min(...product.variants.map(({ price }) => price)) : null,
  skus: product.variants.map(({ sku }) => sku),
});

export const adminSofaRow = (sofa: Sofa): AdminSofaRow => ({
  ...rowMembers(sofa),
  kind: "sofa",
  price: sofa.base_price,
  model_version: sofa.model_version,
});

/** The id of an inventory row's stock. */
export const stockOf = ({ product, variant }: StockedItem): Pick<Stock, "id"> => ({
  id: variant?.id ?? product.slug,
});

/** The variant or material that a stock row belongs to; undefined if it no longer exists or has no SKU. */
export function stockedItem(
  { id: stock }: Pick<Stock, "id">,
  product: Product | undefined,
  material: Material | undefined,
): StockedItem | undefined {
  if (material) {
    const { id, code, name, swatch } = material;
    if (swatch.sku === null) return undefined;
    return { sku: swatch.sku, product: { kind: "material", id, slug: code, name }, variant: null };
  }
  const variant = product?.variants.find(({ id }) => id === stock);
  if (!product || !variant) return undefined;
  const { id, slug, name } = product;
  return {
    sku: variant.sku,
    product: { kind: "product", id, slug, name },
    variant: { id: variant.id, label: labelOf(product, variant.options) },
  };
}

/** The label of a variant, such as "Oat, Large", in the order of the product's options. */
function labelOf({ options }: Product, chosen: Readonly<Record<string, string>>): string {
  return options
    .flatMap(({ code, values }) => values.find((value) => value.code === chosen[code])?.label ?? [])
    .join(", ");
}
