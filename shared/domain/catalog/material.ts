import * as z from "zod";
import { AvailabilityState } from "./availability.ts";
import type { Picture, Swatch } from "../base/picture.ts";
import { SwatchCopies, swatchCopies } from "../upload/public-picture.ts";
import { Id } from "../base/ids.ts";
import { MediaAddress } from "../upload/media.ts";
import { BasisPoints, Currency, Money } from "../base/money.ts";
import { Code, PublicationStatus, Sku } from "../base/names.ts";
import { Text, Timestamp } from "../base/text.ts";

export const MaterialType = z.enum([
  "fabric",
  "leather",
  "velvet",
  "performance",
  "wood",
  "metal",
  "foam",
]);
export type MaterialType = z.output<typeof MaterialType>;

export const MaterialGrade = z.enum(["A", "B", "C", "D", "E", "F"]);
export type MaterialGrade = z.output<typeof MaterialGrade>;

/** The colour filter's values; hundreds of named colours are grouped into these. */
export const ColorGroup = z.enum([
  "white",
  "beige",
  "grey",
  "black",
  "brown",
  "red",
  "orange",
  "yellow",
  "green",
  "blue",
  "purple",
  "pink",
  "gold",
  "silver",
  "multicolor",
]);
export type ColorGroup = z.output<typeof ColorGroup>;

/** The colour that a filter shows for each group. */
export const colorGroupHex: Readonly<Record<ColorGroup, string>> = {
  white: "#ffffff",
  beige: "#e3d5bd",
  grey: "#9a9a9a",
  black: "#1c1c1c",
  brown: "#7a5230",
  red: "#b3282d",
  orange: "#d9772b",
  yellow: "#e3b93c",
  green: "#5d7f4d",
  blue: "#33568c",
  purple: "#6f4a86",
  pink: "#d990a8",
  gold: "#c8a24a",
  silver: "#c0c4c8",
  // For mixed colours; storefronts may show stripes instead.
  multicolor: "#b99b7d",
};

export const Hex = z.string().regex(/^#[0-9a-f]{6}$/);

/** Upholstery cleaning codes: W water-based, S solvent, WS either, X vacuum only. */
export const CleaningCode = z.enum(["W", "S", "WS", "X"]);
export type CleaningCode = z.output<typeof CleaningCode>;

export const UsageBand = z.enum([
  "decorative",
  "light_domestic",
  "general_domestic",
  "heavy_domestic",
  "commercial",
]);
export type UsageBand = z.output<typeof UsageBand>;

/** A material as staff edit it. */
export const Material = z.object({
  id: Id("mat"),
  code: Code,
  status: PublicationStatus,
  name: Text(80),
  family: Text(80).meta({ description: "The range that this colour belongs to" }),
  type: MaterialType,
  grade: MaterialGrade,
  currency: Currency,
  price_per_meter: Money,
  color: z.strictObject({ name: Text(60), hex: Hex, group: ColorGroup }),
  composition: z.array(z.strictObject({ name: Text(60), share_bps: BasisPoints })).max(10),
  martindale: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .meta({ description: "Rub count (EN ISO 12947-2); null for wood, metal and foam" }),
  cleaning_code: CleaningCode.nullable(),
  pet_friendly: z.boolean(),
  swatch: z.strictObject({
    url: MediaAddress,
    sku: Sku.nullable().meta({
      description: "SKU of the sample; null if no samples are sold",
    }),
    price: Money.nullable(),
  }),
  availability: AvailabilityState,
  lead_time_days: z
    .int()
    .min(0)
    .max(365)
    .meta({ description: "Days until the workshop receives the material" }),
  version: z.int().min(1),
  published_at: Timestamp.nullable().meta({ description: "Time of the first publication" }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Material = z.output<typeof Material>;

/** A material as the public reads it; published copies are stored in this shape. */
export const PublishedMaterial = Material.omit({
  status: true,
  version: true,
  published_at: true,
  created_at: true,
}).extend({ usage_band: UsageBand.nullable() });
export type PublishedMaterial = z.output<typeof PublishedMaterial>;

/** A material as responses show it. Its input is a published copy. */
export const PublicMaterial = PublishedMaterial.extend({
  swatch: PublishedMaterial.shape.swatch
    .strip()
    .transform((swatch) => ({ ...swatch, ...swatchCopies(swatch.url) }))
    .pipe(z.object({ ...PublishedMaterial.shape.swatch.shape, ...SwatchCopies.shape })),
});

/** Values of one filter are alternatives; all filters must match. */
interface MaterialFilter {
  readonly type?: readonly MaterialType[] | undefined;
  readonly grade?: readonly MaterialGrade[] | undefined;
  readonly color?: readonly ColorGroup[] | undefined;
  readonly pet_friendly?: boolean | undefined;
}

/**
 * The usage band of a fabric from its Martindale rubs. The bands are those that British upholstery mills and makers
 * print beside Martindale values: under 10,000 decorative, then light, general and heavy domestic use from 10,000,
 * 15,000 and 25,000, and commercial from 30,000.
 */
export function usageBand(martindale: number): UsageBand {
  if (martindale < 10_000) return "decorative";
  if (martindale < 15_000) return "light_domestic";
  if (martindale < 25_000) return "general_domestic";
  if (martindale < 30_000) return "heavy_domestic";
  return "commercial";
}

/** The published copy; parsing drops the members that only staff see. */
export function publishMaterial(material: Material): PublishedMaterial {
  const { martindale } = material;
  return PublishedMaterial.parse({
    ...material,
    usage_band: martindale === null ? null : usageBand(martindale),
  });
}

/** Whether buyers can choose this material for a sofa now. */
export const canBeChosen = (material: Pick<PublishedMaterial, "availability">): boolean =>
  material.availability !== "out_of_stock";

export function matchesFilter(
  material: Pick<PublishedMaterial, "type" | "grade" | "color" | "pet_friendly">,
  filter: MaterialFilter,
): boolean {
  return (
    (filter.type?.includes(material.type) ?? true) &&
    (filter.grade?.includes(material.grade) ?? true) &&
    (filter.color?.includes(material.color.group) ?? true) &&
    (filter.pet_friendly === undefined || filter.pet_friendly === material.pet_friendly)
  );
}

/** Width and height of a swatch in pixels. Materials do not store the size of their pictures. */
const swatchEdge = 600;

/** The picture of a material's sample. */
export const swatchPicture = ({ name, swatch }: PublishedMaterial): Picture => ({
  url: swatch.url,
  alt: name,
  width: swatchEdge,
  height: swatchEdge,
});

/** A material in lists and choices. */
export const materialSwatch = ({ code, name, color, swatch }: PublishedMaterial): Swatch => ({
  code,
  label: name,
  hex: color.hex,
  sku: swatch.sku,
  image: swatch.url,
});
