import { type StockLevel, availabilityOf } from "./availability.ts";
import type { Card, CardVariant } from "./card.ts";
import type { Swatch } from "../base/picture.ts";
import { mainPicture } from "../upload/media.ts";
import type { ProductOption, PublishedProduct, PublishedSellable } from "./product.ts";

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

/** A product's card: that of the cheapest variant that can be bought, or of the cheapest if none can. */
export function productCard(published: PublishedProduct, levels: readonly StockLevel[]): Card {
  return cardOfVariants(published, variantsOnCard(published, levels));
}

/** The product's card, which shows the first of these variants with the product's main picture. */
export function cardOfVariants(
  published: PublishedProduct,
  [first]: readonly [CardVariant, ...CardVariant[]],
): Card {
  return {
    ...cardMembers(published),
    ...first.shown,
    image: mainPicture(published.media),
    kind: "product",
    swatches: swatchesOf(published).slice(0, shownSwatches),
  };
}

/** The product's variants on its card: those that can be bought come first, the cheapest before the others. */
export function variantsOnCard(
  published: PublishedProduct,
  levels: readonly StockLevel[],
): [CardVariant, ...CardVariant[]] {
  const { options, materials, media, variants } = published;
  const byId = new Map(levels.map((level) => [level.id, level]));
  const offered = new Set(options.flatMap(({ values }) => values.map(({ code }) => code)));
  const swatches = swatchOption(published)?.code ?? "";
  const onCard = variants.map((variant): CardVariant => {
    const chosen = options.flatMap(({ code, values }) =>
      values.filter((value) => value.code === variant.options[code]),
    );
    const codes = new Set(chosen.map(({ code }) => code));
    const picture = media.find(({ id, type }) => type === "image" && id === variant.media_ids[0]);
    return {
      shown: {
        variant_id: variant.id,
        sku: variant.sku,
        image: mainPicture(picture ? [picture] : media),
        price: variant.price,
        compare_at_price: variant.compare_at_price,
        price_from: variants.some(({ price }) => price > variant.price),
        availability: availabilityOf(byId.get(variant.id), published),
      },
      // A material that is also the value of an option is that of some variants only.
      material: materials.flatMap(({ code }) =>
        codes.has(code) || !offered.has(code) ? [code] : [],
      ),
      color: [...new Set(chosen.flatMap(({ swatch }) => swatch?.color_group ?? []))],
      swatch: variant.options[swatches] ?? null,
    };
  });
  const cannotBeBought = ({ shown }: CardVariant) =>
    Number(shown.availability.state === "out_of_stock");
  onCard.sort(
    (one, other) =>
      cannotBeBought(one) - cannotBeBought(other) || one.shown.price - other.shown.price,
  );
  // A published product has at least one variant.
  return onCard as [CardVariant, ...CardVariant[]];
}

/** The option whose values the card's swatches show, usually the colour. */
export const swatchOption = ({ options }: PublishedProduct): ProductOption | undefined =>
  options.find(({ values }) => values.some(({ swatch }) => swatch));

/** The values of that option, each with the SKU of the first variant that has it. */
export function swatchesOf(product: PublishedProduct): Swatch[] {
  const option = swatchOption(product);
  return (option?.values ?? []).flatMap(({ code, label, swatch }) => {
    const variant = product.variants.find(({ options }) => options[option?.code ?? ""] === code);
    const sku = variant?.sku ?? null;
    return swatch ? [{ code, label, hex: swatch.hex, sku, image: swatch.image }] : [];
  });
}
