import * as z from "zod";
import { LeadTime } from "../catalog/availability.ts";
import { Dimensions } from "../catalog/product.ts";
import { Money } from "../base/money.ts";
import { type StoredPicture, mainPicture } from "../upload/media.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { Configuration, defaultConfiguration } from "./configuration.ts";
import type { Card } from "../catalog/card.ts";
import type { MaterialsByCode } from "./sofa-card.ts";
import { codesOf } from "./sofa-choices.ts";
import { priceSofa } from "./sofa-price.ts";
import type { PublishedSofa, SofaModel } from "./sofa.ts";

/** A sofa as its page shows it first. */
export const DefaultChoice = z.object({
  configuration: Configuration,
  configuration_id: z.string().nullable(),
  price: Money.nullable().meta({
    description: "null, as the id, if this configuration cannot be made now",
  }),
  compare_at_price: Money.nullable(),
  image: PublicPicture.nullable(),
  dimensions: Dimensions,
  lead_time: LeadTime,
});
/** The default before its response. */
export type DefaultChoice = z.input<typeof DefaultChoice>;

/** The sofa in its default configuration. @param card the sofa's card */
export function defaultChoice(
  sofa: PublishedSofa,
  materials: MaterialsByCode,
  card: Pick<Card, "price" | "compare_at_price">,
): DefaultChoice {
  const { configuration, configuration_id, price, ...priced } = priceSofa(
    sofa,
    materials,
    defaultConfiguration(sofa),
  );
  return {
    configuration,
    configuration_id,
    price,
    // The compare-at price belongs to the price of the card. No such price is known of a dearer configuration.
    compare_at_price: price === card.price ? card.compare_at_price : null,
    image: configurationPicture(sofa, configuration),
    dimensions: priced.dimensions ?? sofa.dimensions,
    lead_time: priced.lead_time ?? sofa.lead_time,
  };
}

/**
 * The picture of a configuration: that of the last option whose chosen value has one, or else the sofa's main picture.
 *
 * @param configuration normalized
 */
export function configurationPicture(
  { option_groups, media }: Pick<SofaModel, "option_groups"> & Pick<PublishedSofa, "media">,
  configuration: Configuration,
): StoredPicture | null {
  const chosen = option_groups.flatMap(({ code, input, values }) => {
    const answer = configuration[code];
    if (input === "number") return Number(answer ?? 0) > 0 ? values : [];
    return values.filter((value) => codesOf(answer).includes(value.code));
  });
  const pictured = chosen.findLast((value) => value.media !== null);
  return pictured?.media ?? mainPicture(media);
}
