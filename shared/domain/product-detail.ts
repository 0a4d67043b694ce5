import * as z from "zod";
import {
  Availability,
  type StockLevel,
  availabilityOfSku,
} from "./availability.ts";
import { Card } from "./card.ts";
import { productCard } from "./catalog-entry.ts";
import { productJsonLd } from "./json-ld.ts";
import { inKeyOrder } from "./key-order.ts";
import { type LiveProduct, LiveSellable, ProductOption, Variant } from "./product.ts";

/** What a product's and a sofa's page show beyond the card. */
export const SellableDetail = Card.extend(
  LiveSellable.pick({
    description_html: true,
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
  json_ld: z
    .record(z.string(), z.unknown())
    .meta({ description: "schema.org Product, for the page's head" }),
});
export type SellableDetail = z.output<typeof SellableDetail>;

export const ProductDetail = SellableDetail.extend({
  kind: z.literal("product"),
  options: z.array(ProductOption),
  variants: z.array(Variant.omit({ cost: true }).extend({ availability: Availability })),
});
export type ProductDetail = z.output<typeof ProductDetail>;

/** A product's page: the live copy joined with the stock rows of its SKUs, of which only states and capped figures stay. */
export function productDetail(live: LiveProduct, levels: readonly StockLevel[]): ProductDetail {
  const bySku = new Map(levels.map((level) => [level.sku, level]));
  const card = productCard(live, levels);
  return {
    ...live,
    ...card,
    kind: "product",
    variants: live.variants.map((variant) => {
      const level = bySku.get(variant.sku);
      return {
        ...variant,
        options: inKeyOrder(variant.options),
        availability: availabilityOfSku(level, live),
      };
    }),
    json_ld: productJsonLd(live, card, live.variants),
  };
}
