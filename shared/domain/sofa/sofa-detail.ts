import * as z from "zod";
import { LeadTime } from "../catalog/availability.ts";
import { PublicPicture, PublicSwatch } from "../upload/public-picture.ts";
import { sofaCard } from "./sofa-card.ts";
import { Configuration } from "./configuration.ts";
import { DefaultChoice, defaultChoice } from "./default-choice.ts";
import { type PublishedMaterial, canBeChosen, materialSwatch } from "../catalog/material.ts";
import { Money } from "../base/money.ts";
import { ProductOption, Variant } from "../catalog/product.ts";
import { type PageHead, SellableDetail } from "../catalog/product-detail.ts";
import { FabricMeters, PublishedSofa, OptionGroup, SofaRule, SofaValue } from "./sofa.ts";

/** A value of an option, with the name, the swatch and the price of its material. */
export const SofaDetailValue = SofaValue.omit({ swatch: true, label: true, media: true }).extend({
  label: z.string(),
  media: PublicPicture.nullable(),
  swatch: PublicSwatch.nullable(),
  available: z.boolean().meta({ description: "Whether the value can be chosen now" }),
  price_per_meter: Money.nullable().meta({
    description: "Price per metre of a material; null for other values",
  }),
});
/** A value before its response. */
export type SofaDetailValue = z.input<typeof SofaDetailValue>;

export const SofaDetail = SellableDetail.extend({
  kind: z.literal("sofa"),
  options: z
    .array(ProductOption)
    .max(0)
    .meta({ description: "Always empty: the options are in `option_groups`" }),
  variants: z
    .array(Variant.omit({ cost: true }))
    .max(0)
    .meta({ description: "Always empty: sofas are made to order" }),
  base_price: Money,
  lead_time: LeadTime,
  model_version: PublishedSofa.shape.model_version,
  fabric_meters: FabricMeters,
  seats: PublishedSofa.shape.seats,
  option_groups: z.array(OptionGroup.extend({ values: z.array(SofaDetailValue) })),
  rules: z.array(SofaRule),
  default: DefaultChoice,
  default_configuration: Configuration.meta({ description: "The same as in `default`" }),
});
/** A sofa's page before its response. */
export type SofaDetail = z.input<typeof SofaDetail>;

/**
 * A sofa's page without its head. Values of `material` options show the published material with their code. Values
 * whose material is not published are left out.
 */
export function sofaDetail(
  published: PublishedSofa,
  materials: ReadonlyMap<string, PublishedMaterial>,
): Omit<SofaDetail, PageHead> {
  const card = sofaCard(published, materials);
  const usual = defaultChoice(published, materials, card);
  return {
    ...published,
    ...card,
    kind: "sofa",
    options: [],
    variants: [],
    option_groups: published.option_groups.map((group) => ({
      ...group,
      values: group.values.flatMap((value) =>
        group.input === "material" ? materialValue(value, materials) : plainValue(value),
      ),
    })),
    default: usual,
    default_configuration: usual.configuration,
  };
}

function plainValue(value: SofaValue): SofaDetailValue {
  const { code, swatch } = value;
  const label = value.label ?? code;
  return {
    ...value,
    label,
    swatch: swatch && { code, label, hex: swatch.hex, sku: null, image: swatch.image },
    available: true,
    price_per_meter: null,
  };
}

function materialValue(
  value: SofaValue,
  materials: ReadonlyMap<string, PublishedMaterial>,
): SofaDetailValue[] {
  const material = materials.get(value.code);
  if (!material) return [];
  return [
    {
      ...value,
      label: material.name,
      swatch: materialSwatch(material),
      lead_time_days: Math.max(value.lead_time_days ?? 0, material.lead_time_days),
      available: canBeChosen(material),
      price_per_meter: material.price_per_meter,
    },
  ];
}
