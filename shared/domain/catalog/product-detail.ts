import * as z from "zod";
import { Availability, type StockLevel, availabilityOf } from "./availability.ts";
import { Card } from "./card.ts";
import { productCard } from "./product-card.ts";
import { inKeyOrder } from "../base/key-order.ts";
import { type PublishedProduct, PublishedSellable, ProductOption, Variant } from "./product.ts";

/** The members that pages of products and sofas show besides the card. */
export const SellableDetail = Card.extend(
  PublishedSellable.pick({
    description_html: true,
    brand: true,
    collection: true,
    rooms: true,
    styles: true,
    tags: true,
    media: true,
    dimensions: true,
    packages: true,
    materials: true,
    care: true,
    assembly: true,
    warranty: true,
    delivery_classes: true,
    cod_eligible: true,
    tax_class: true,
    hsn_code: true,
    seo: true,
    updated_at: true,
  }).shape,
).extend({
  json_ld: z.record(z.string(), z.unknown()).meta({
    description:
      "The page in the vocabulary of schema.org, for a script element in its head: `<` in its strings is `\\u003c`",
  }),
});
export type SellableDetail = z.output<typeof SellableDetail>;

export const ProductDetail = SellableDetail.extend({
  kind: z.literal("product"),
  options: z.array(ProductOption),
  variants: z.array(Variant.omit({ cost: true }).extend({ availability: Availability })),
});
export type ProductDetail = z.output<typeof ProductDetail>;

/** A product's page without its JSON-LD: the published copy with the availability of its SKUs. */
export function productDetail(
  published: PublishedProduct,
  levels: readonly StockLevel[],
): Omit<ProductDetail, "json_ld"> {
  const byId = new Map(levels.map((level) => [level.id, level]));
  const card = productCard(published, levels);
  return {
    ...published,
    ...card,
    kind: "product",
    variants: published.variants.map((variant) => {
      const level = byId.get(variant.id);
      return {
        ...variant,
        options: inKeyOrder(variant.options),
        availability: availabilityOf(level, published),
      };
    }),
  };
}
