import type { Card } from "../catalog/card.ts";
import { type PublishedMaterial, materialSwatch } from "../catalog/material.ts";
import { cardMembers, shownSwatches } from "../catalog/product-card.ts";
import { materialCodes } from "./sofa-choices.ts";
import { cheapestPrice } from "./sofa-price-from.ts";
import type { PublishedSofa } from "./sofa.ts";

export type MaterialsByCode = ReadonlyMap<string, PublishedMaterial>;

/**
 * A sofa's card, with the price of its cheapest valid configuration. If no configuration is valid, the card shows the
 * base price and the sofa is unavailable.
 */
export function sofaCard(published: PublishedSofa, materials: MaterialsByCode): Card {
  const cheapest = cheapestPrice(published, materials);
  return {
    ...cardMembers(published),
    kind: "sofa",
    variant_id: null,
    sku: null,
    price: cheapest ?? published.base_price,
    compare_at_price: published.compare_at_price,
    price_from: published.option_groups.length > 0,
    swatches: offeredMaterials(published, materials).map(materialSwatch).slice(0, shownSwatches),
    availability: {
      state: cheapest === null ? "out_of_stock" : "made_to_order",
      quantity: null,
      lead_time: published.lead_time,
    },
  };
}

/** The existing materials that the sofa offers. */
export const offeredMaterials = (
  published: PublishedSofa,
  materials: MaterialsByCode,
): PublishedMaterial[] => materialCodes(published).flatMap((code) => materials.get(code) ?? []);
