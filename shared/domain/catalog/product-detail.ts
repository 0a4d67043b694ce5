import * as z from "zod";
import { Availability, type StockLevel, availabilityOf } from "./availability.ts";
import { PublicCard } from "./card.ts";
import { Breadcrumbs, PageSeo } from "./page-seo.ts";
import { productCard } from "./product-card.ts";
import { Picture } from "../base/picture.ts";
import { ProductMedia } from "../upload/media.ts";
import {
  PictureCopies,
  SwatchCopies,
  withCopies,
  withSwatchCopy,
} from "../upload/public-picture.ts";
import { inKeyOrder } from "../base/members.ts";
import { OptionSwatch, type PublishedProduct, PublishedSellable, Variant } from "./product.ts";

/** A picture, film or 3D model as the public reads it. */
const PublicMedia = ProductMedia.strip()
  .transform(withCopies)
  .pipe(
    Picture.extend({
      id: z.string(),
      type: ProductMedia.shape.type,
      role: ProductMedia.shape.role,
      ...PictureCopies.shape,
    }),
  )
  .meta({ id: "PublicMedia" });

const PublicOptionSwatch = OptionSwatch.strip()
  .transform(withSwatchCopy)
  .pipe(
    z.object({
      hex: z.string().nullable(),
      image: z.string().nullable(),
      color_group: OptionSwatch.shape.color_group,
      ...SwatchCopies.shape,
    }),
  );

/** An option as the public reads it. Its input is a stored option. */
const PublicOption = z.object({
  code: z.string(),
  label: z.string(),
  values: z.array(
    z.object({ code: z.string(), label: z.string(), swatch: PublicOptionSwatch.nullable() }),
  ),
});

/** The members that pages of products and sofas show besides the card. */
export const SellableDetail = PublicCard.extend(
  PublishedSellable.pick({
    description_html: true,
    brand: true,
    collection: true,
    rooms: true,
    styles: true,
    tags: true,
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
    updated_at: true,
  }).shape,
).extend({
  media: z.array(PublicMedia),
  breadcrumbs: Breadcrumbs,
  seo: PageSeo,
  json_ld: z.record(z.string(), z.unknown()).meta({
    description:
      "The page and its breadcrumbs in the vocabulary of schema.org, for a script element in its head: `<` in its " +
      "strings is `\\u003c`",
  }),
});

export const ProductDetail = SellableDetail.extend({
  kind: z.literal("product"),
  options: z.array(PublicOption),
  variants: z.array(Variant.omit({ cost: true }).extend({ availability: Availability })),
});
/** A product's page before its response. */
export type ProductDetail = z.input<typeof ProductDetail>;

/** The members of a page that depend on the shop's settings. */
export type PageHead = "breadcrumbs" | "seo" | "json_ld";

/** A product's page without its head: the published copy with the availability of its SKUs. */
export function productDetail(
  published: PublishedProduct,
  levels: readonly StockLevel[],
): Omit<ProductDetail, PageHead> {
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
