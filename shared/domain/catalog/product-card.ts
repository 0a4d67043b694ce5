import { type StockLevel, availabilityOf } from "./availability.ts";
import type { Card } from "./card.ts";
import type { Swatch } from "../base/picture.ts";
import { mainPicture } from "../upload/media.ts";
import type { PublishedProduct, PublishedSellable } from "./product.ts";

/** Maximum number of swatches on a card. */
export const shownSwatches = 12;

/** The members that cards of products and sofas share. */
export const cardMembers = (published: PublishedSellable) => ({
  id: published.id,
  slug: published.slug,
  name: published.name,
  subtitle: published.subtitle,
  category: { slug: published.category.slug, name: published.category.name },
  image: mainPicture(published.media),
  currency: published.currency,
  badges: published.badges,
});

/** A product's card, with the price of its cheapest variant and the best availability of all variants. */
export function productCard(published: PublishedProduct, levels: readonly StockLevel[]): Card {
  const cheapest = published.variants.reduce((least, next) =>
    next.price < least.price ? next : least,
  );
  const skus = published.variants.map(({ sku }) => sku);
  return {
    ...cardMembers(published),
    kind: "product",
    price: cheapest.price,
    compare_at_price: cheapest.compare_at_price,
    price_from: published.variants.some(({ price }) => price !== cheapest.price),
    swatches: optionSwatches(published).slice(0, shownSwatches),
    availability: availabilityOf(skus, levels, published),
  };
}

/** The swatches of the first option that has any, usually the colour. */
function optionSwatches({ options }: PublishedProduct): Swatch[] {
  const swatches = options.map(({ values }) =>
    values.flatMap(({ code, label, swatch }) =>
      swatch ? [{ code, label, hex: swatch.hex, image: swatch.image }] : [],
    ),
  );
  return swatches.find((list) => list.length > 0) ?? [];
}
