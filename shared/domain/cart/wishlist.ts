import * as z from "zod";
import { type Card, CardKind, PublicCard } from "../catalog/card.ts";
import { ChosenConfiguration, Configuration } from "../sofa/configuration.ts";
import { Currency, Money } from "../base/money.ts";
import { IdOrSlug } from "../base/names.ts";
import { Timestamp } from "../base/text.ts";

export const maxWishes = 200;

/** An item on a customer's wishlist, with its price when added. One entry per product or sofa. */
export const WishlistEntry = z.object({
  product_id: z.string(),
  kind: CardKind,
  slug: z.string(),
  name: z.string(),
  /** The configuration chosen for a sofa; null if none was chosen, and for a product. */
  configuration: Configuration.nullable(),
  configuration_id: z.string().nullable(),
  /** The materials of the configuration, so that one batch can read them with the sofa. */
  material_codes: z.array(z.string()),
  currency: Currency,
  price_when_added: Money,
  added_at: Timestamp,
});
export type WishlistEntry = z.output<typeof WishlistEntry>;

export const WishlistInput = z.strictObject({
  product: IdOrSlug("prd", "sofa").meta({
    description: "Id or slug of a product or a sofa",
    example: "kaveri-lounge-chair",
  }),
  configuration: ChosenConfiguration.optional().meta({
    description: "Chosen options; for sofas only",
  }),
});
export type WishlistInput = z.output<typeof WishlistInput>;

/** A wishlist entry as its owner sees it. */
export const WishlistItem = WishlistEntry.omit({ material_codes: true }).extend({
  card: PublicCard.nullable().meta({
    description: "The item's current card; null if it is no longer sold",
  }),
  price: Money.nullable().meta({
    description:
      "Current price, in the stored configuration if there is one; null if the item cannot be bought",
  }),
  price_dropped: z
    .boolean()
    .meta({ description: "Whether the item costs less than when it was added" }),
});
/** An entry before its response. */
export type WishlistItem = z.input<typeof WishlistItem>;

/**
 * The entry as its owner sees it, with the item's current card and price.
 *
 * @param card null if the product or sofa is no longer sold
 * @param price the current price; null if it cannot be bought in this configuration
 */
export function wishlistItem(
  entry: WishlistEntry,
  card: Card | null,
  price: number | null,
): WishlistItem {
  const price_dropped = price !== null && price < entry.price_when_added;
  return { ...entry, slug: card?.slug ?? entry.slug, card, price, price_dropped };
}

/** The sort position: newest first, then by id. Cursors contain it. */
export function wishPosition({ added_at, product_id }: WishlistEntry): string {
  return `${added_at}#${product_id}`;
}
