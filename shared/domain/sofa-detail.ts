import * as z from "zod";
import { LeadTime } from "./availability.ts";
import { Picture, Swatch } from "./card.ts";
import { sofaCard } from "./catalog-entry.ts";
import { Configuration, defaultConfiguration } from "./configuration.ts";
import { productJsonLd } from "./json-ld.ts";
import { type LiveMaterial, canBeChosen, materialSwatch } from "./material.ts";
import { Money } from "./money.ts";
import { ProductOption, Variant } from "./product.ts";
import { SellableDetail } from "./product-detail.ts";
import { FabricMeters, LiveSofa, OptionGroup, SofaRule, SofaValue } from "./sofa.ts";

/** A choice with its material filled in. */
export const SofaDetailValue = SofaValue.omit({ swatch: true, label: true, media: true }).extend({
  label: z.string(),
  media: Picture.nullable(),
  swatch: Swatch.nullable(),
  available: z.boolean().meta({ description: "false: shown, but cannot be chosen at present" }),
  price_per_meter: Money.nullable().meta({ description: "Of a material" }),
});
export type SofaDetailValue = z.output<typeof SofaDetailValue>;

export const SofaDetail = SellableDetail.extend({
  kind: z.literal("sofa"),
  options: z.array(ProductOption).max(0).meta({ description: "Always empty: see option_groups" }),
  variants: z
    .array(Variant.omit({ cost: true }))
    .max(0)
    .meta({ description: "Always empty: sofas are made to order" }),
  base_price: Money,
  lead_time: LeadTime,
  model_version: LiveSofa.shape.model_version,
  fabric_meters: FabricMeters,
  seats: LiveSofa.shape.seats,
  option_groups: z.array(OptionGroup.extend({ values: z.array(SofaDetailValue) })),
  rules: z.array(SofaRule),
  default_configuration: Configuration,
});
export type SofaDetail = z.output<typeof SofaDetail>;

/**
 * A sofa's page. Values of `material` options show the published material of their code; those without one are left out.
 */
export function sofaDetail(
  live: LiveSofa,
  materials: ReadonlyMap<string, LiveMaterial>,
): SofaDetail {
  const card = sofaCard(live, materials);
  return {
    ...live,
    ...card,
    kind: "sofa",
    options: [],
    variants: [],
    option_groups: live.option_groups.map((group) => ({
      ...group,
      values: group.values.flatMap((value) =>
        group.input === "material" ? materialValue(value, materials) : plainValue(value),
      ),
    })),
    default_configuration: defaultConfiguration(live),
    json_ld: productJsonLd(live, card, []),
  };
}

function plainValue(value: SofaValue): SofaDetailValue {
  const { code, swatch } = value;
  const label = value.label ?? code;
  return {
    ...value,
    label,
    swatch: swatch && { code, label, hex: swatch.hex, image: swatch.image },
    available: true,
    price_per_meter: null,
  };
}

function materialValue(
  value: SofaValue,
  materials: ReadonlyMap<string, LiveMaterial>,
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
