import type { AvailabilityState } from "./availability.ts";
import type { Card } from "./card.ts";
import { decimalAmount } from "../base/currency.ts";
import { plainText } from "../base/plain-text.ts";
import type { PublishedSellable, Variant } from "./product.ts";

const schemaAvailability: Record<AvailabilityState, string> = {
  in_stock: "https://schema.org/InStock",
  low_stock: "https://schema.org/LimitedAvailability",
  made_to_order: "https://schema.org/MadeToOrder",
  backorder: "https://schema.org/BackOrder",
  out_of_stock: "https://schema.org/OutOfStock",
};

const millimetres = (value: number | null) =>
  value === null ? undefined : { "@type": "QuantitativeValue", value, unitCode: "MMT" };

/** schema.org's Product; unknown members are left out. */
export function productJsonLd(
  published: PublishedSellable,
  card: Card,
  variants: readonly Pick<Variant, "sku" | "price">[],
): Record<string, unknown> {
  const { name, dimensions, media, materials, category } = published;
  const [only, ...others] = variants;
  const highest = Math.max(card.price, ...variants.map(({ price }) => price));
  const common = {
    priceCurrency: card.currency,
    availability: schemaAvailability[card.availability.state],
  };
  return withoutUnknown({
    "@context": "https://schema.org",
    "@type": "Product",
    productID: published.id,
    name,
    description: plainText(published.description_html),
    category: category.name,
    image: media.filter(({ type }) => type === "image").map(({ url }) => url),
    material: materials.map(({ label }) => label).join(", ") || undefined,
    sku: others.length === 0 ? only?.sku : undefined,
    width: millimetres(dimensions.width_mm),
    depth: millimetres(dimensions.depth_mm),
    height: millimetres(dimensions.height_mm),
    offers:
      card.price_from && variants.length > 0
        ? {
            "@type": "AggregateOffer",
            lowPrice: decimalAmount(card.price, card.currency),
            highPrice: decimalAmount(highest, card.currency),
            offerCount: variants.length,
            ...common,
          }
        : { "@type": "Offer", price: decimalAmount(card.price, card.currency), ...common },
  });
}

const withoutUnknown = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
