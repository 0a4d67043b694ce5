import * as z from "zod";
import { Availability } from "./availability.ts";
import { Currency, Money } from "../base/money.ts";
import { Picture, Swatch } from "../base/picture.ts";
import { PublicPicture, PublicSwatch } from "../upload/public-picture.ts";

export const CardKind = z.enum(["product", "sofa"]);
export type CardKind = z.output<typeof CardKind>;

/** A product or sofa as lists show it, as the catalog index stores it. */
export const Card = z.object({
  id: z.string(),
  kind: CardKind,
  slug: z.string(),
  name: z.string(),
  subtitle: z.string().nullable(),
  category: z.object({ slug: z.string(), name: z.string() }),
  variant_id: z.string().nullable().meta({ description: "null for sofas" }),
  sku: z.string().nullable(),
  image: Picture.nullable(),
  currency: Currency,
  price: Money,
  compare_at_price: Money.nullable(),
  price_from: z.boolean().meta({ description: "Whether the price is the lowest of several" }),
  badges: z.array(z.string()),
  swatches: z.array(Swatch),
  availability: Availability,
});
export type Card = z.output<typeof Card>;

/** A card as the public reads it. Its input is a stored card. */
export const PublicCard = Card.extend({
  image: PublicPicture.nullable(),
  swatches: z.array(PublicSwatch),
}).meta({ id: "Card" });
export type PublicCard = z.output<typeof PublicCard>;

/** The filters of lists; `seats` exists only for sofas. */
export const FacetCode = z.enum([
  "category",
  "collection",
  "room",
  "style",
  "material",
  "color",
  "tag",
  "seats",
]);
export type FacetCode = z.output<typeof FacetCode>;

/** The label of a facet value. */
export const FacetLabel = z.object({
  label: z.string(),
  swatch: Swatch.pick({ hex: true, image: true }).optional(),
});
export type FacetLabel = z.output<typeof FacetLabel>;

/** One filter of a list, with the number of cards per value. */
export const Facet = z.object({
  code: FacetCode.meta({ description: "The query parameter to send" }),
  label: z.string(),
  values: z.array(
    FacetLabel.extend({
      value: z.string().meta({ description: "What to send in it" }),
      count: z.int().meta({ description: "The total with this value" }),
      parent: z.string().nullable().optional().meta({
        description: "The `value` of a category's parent; null at the top",
      }),
    }),
  ),
});
export type Facet = z.output<typeof Facet>;

/** Lowest and highest price of a list. */
export const PriceRange = z.object({ min: Money, max: Money });
export type PriceRange = z.output<typeof PriceRange>;

export const QueryPrice = z.object({ min: Money.nullable(), max: Money.nullable() }).meta({
  description:
    "The price that the words of `q` name, such as `sofa under 50000`; null where the range is open. " +
    "Only items in this range are listed. If there are none, `match` is `partial` and the nearest prices come first",
});
export type QueryPrice = z.output<typeof QueryPrice>;

/** A colour or material in which a card's item is offered. A search for the colour or material shows it. */
export const Look = z.object({
  words: z.string().meta({ description: "Label, colour group, family and type" }),
  swatch: Swatch,
  /** A picture of the item in this look; null if there is none. */
  image: Picture.nullable(),
});
export type Look = z.output<typeof Look>;

/** What a product's card shows of one variant, and the filters that this variant answers. */
export const CardVariant = z.object({
  shown: Card.pick({
    variant_id: true,
    sku: true,
    image: true,
    price: true,
    compare_at_price: true,
    price_from: true,
    availability: true,
  }),
  material: z.array(z.string()),
  color: z.array(z.string()),
  /** The code of the card's swatch that shows the variant; null if none does. */
  swatch: z.string().nullable(),
});
export type CardVariant = z.output<typeof CardVariant>;

/** The texts by which a card is found. Each line of a text is a phrase of its own. */
export const SearchText = z.object({
  name: z.string(),
  kind: z.string().meta({ description: "The category, which says what the item is" }),
  noun: z
    .string()
    .meta({ description: "The noun of the name, such as chair; often narrower than the category" }),
  attributes: z.string().meta({ description: "Materials, colours, options, sizes" }),
  subtitle: z.string(),
  context: z.string().meta({ description: "Parent categories, collection, rooms, styles, tags" }),
  body: z.string(),
});
export type SearchText = z.output<typeof SearchText>;

/**
 * A card with everything that lists filter, sort and search by: one row of the catalog index. Facet values are slugs
 * or codes, with their labels.
 */
export const CatalogEntry = z.object({
  card: Card,
  facets: z.object({
    category: z
      .array(z.string())
      .meta({ description: "The item's category and all parent categories" }),
    collection: z.array(z.string()),
    room: z.array(z.string()),
    style: z.array(z.string()),
    material: z.array(z.string()),
    color: z.array(z.string()),
    tag: z.array(z.string()),
  }),
  /** Labels, keyed by facet and value. A value without a label is shown as its slug in words. */
  labels: z.partialRecord(FacetCode, z.record(z.string(), FacetLabel)).optional(),
  /** The numbers of seats; empty for products. */
  seats: z.array(z.int()),
  /** Measures that filters compare: the smallest available, or null if unknown. */
  width_mm: z.int().nullable(),
  depth_mm: z.int().nullable(),
  height_mm: z.int().nullable(),
  in_stock: z.boolean(),
  /** Whether the item cannot be bought now, not even on backorder or made to order. */
  sold_out: z.boolean(),
  published_at: z.string(),
  popularity: z.int(),
  /** Ids of the related products that staff picked. */
  related_ids: z.array(z.string()),
  skus: z.array(z.string()),
  /** A product's variants, the one that its card shows first. Empty for sofas, which are listed by their card alone. */
  variants: z.array(CardVariant),
  text: SearchText,
  /** In the order of the card's swatches; empty if the card has only one swatch. */
  looks: z.array(Look),
});
export type CatalogEntry = z.output<typeof CatalogEntry>;
