import type { AvailabilityState } from "#shared/domain/catalog/availability.ts";
import type {
  ColorGroup,
  CleaningCode,
  Material,
  MaterialGrade,
  MaterialType,
} from "#shared/domain/catalog/material.ts";
import { type Drawing, addressOf, drawing } from "../gallery.ts";
import { currency, daysBefore, demoId, rupees, slugOf } from "../identity.ts";
import { swatch } from "../pictures/swatch.ts";

interface Range {
  type: MaterialType;
  grade: MaterialGrade;
  /** Price in rupees per metre. */
  perMeter: number;
  composition: readonly (readonly [name: string, percent: number])[];
  martindale: number | null;
  cleaning: CleaningCode | null;
  pets: boolean;
  colors: readonly (readonly [
    name: string,
    hex: string,
    group: ColorGroup,
    availability?: AvailabilityState,
  ])[];
}

const ranges: Readonly<Record<string, Range>> = {
  "Sutra Linen Blend": {
    type: "fabric",
    grade: "B",
    perMeter: 890,
    composition: [
      ["Linen", 55],
      ["Cotton", 45],
    ],
    martindale: 22_000,
    cleaning: "S",
    pets: false,
    colors: [
      ["Oat", "#d9cbb2", "beige"],
      ["Stone", "#a7a298", "grey"],
      ["Indigo", "#46607f", "blue"],
      ["Terracotta", "#b9694a", "orange", "low_stock"],
    ],
  },
  "Charkha Cotton": {
    type: "fabric",
    grade: "A",
    perMeter: 620,
    composition: [["Handloom cotton", 100]],
    martindale: 16_000,
    cleaning: "W",
    pets: false,
    colors: [
      ["Ivory", "#ece5d6", "white"],
      ["Wheat", "#d8b98a", "yellow"],
      ["Slate", "#6b737a", "grey"],
    ],
  },
  "Pashmina Bouclé": {
    type: "fabric",
    grade: "D",
    perMeter: 1_690,
    composition: [
      ["Wool", 62],
      ["Polyester", 30],
      ["Acrylic", 8],
    ],
    martindale: 28_000,
    cleaning: "S",
    pets: false,
    colors: [
      ["Cream", "#efe9dc", "white"],
      ["Mushroom", "#b9a796", "beige"],
      ["Fog", "#c3c4c2", "grey", "made_to_order"],
    ],
  },
  "Mehfil Velvet": {
    type: "velvet",
    grade: "C",
    perMeter: 1_290,
    composition: [["Polyester", 100]],
    martindale: 50_000,
    cleaning: "WS",
    pets: true,
    colors: [
      ["Emerald", "#24594a", "green"],
      ["Midnight", "#27364f", "blue"],
      ["Rani Pink", "#a83c63", "pink"],
      ["Mustard", "#c8962f", "yellow"],
      ["Mocha", "#7a5a47", "brown"],
    ],
  },
  "Everyday Shield": {
    type: "performance",
    grade: "C",
    perMeter: 1_150,
    composition: [["Polyester, stain-repellent", 100]],
    martindale: 60_000,
    cleaning: "W",
    pets: true,
    colors: [
      ["Dune", "#cbb896", "beige"],
      ["Sage", "#8b9a7d", "green"],
      ["Graphite", "#4b4d50", "grey"],
      ["Rust", "#ad5334", "orange"],
      ["Ink", "#2c3e57", "blue"],
    ],
  },
  "Savanna Leather": {
    type: "leather",
    grade: "F",
    perMeter: 3_950,
    composition: [["Full-grain buffalo hide", 100]],
    martindale: 40_000,
    cleaning: "X",
    pets: true,
    colors: [
      ["Saddle Tan", "#a4663a", "brown"],
      ["Cognac", "#8a4a26", "orange"],
      ["Espresso", "#43302a", "black", "out_of_stock"],
    ],
  },
  "Ayur Vegan Leather": {
    type: "leather",
    grade: "C",
    perMeter: 1_380,
    composition: [["Polyurethane on cotton", 100]],
    martindale: 100_000,
    cleaning: "W",
    pets: true,
    colors: [
      ["Chalk", "#e4ded3", "white"],
      ["Chestnut", "#7b4630", "brown"],
    ],
  },
  "Solid Wood": {
    type: "wood",
    grade: "C",
    perMeter: 0,
    composition: [["Seasoned hardwood", 100]],
    martindale: null,
    cleaning: null,
    pets: true,
    colors: [
      ["Natural Teak", "#b07a45", "brown"],
      ["Honey Sheesham", "#9a5f35", "brown"],
      ["Light Mango", "#cda16a", "beige"],
      ["Walnut Stain", "#6f4a2f", "brown"],
      ["Ebonised Ash", "#3a302a", "black"],
    ],
  },
  "Workshop Metal": {
    type: "metal",
    grade: "B",
    perMeter: 0,
    composition: [["Powder-coated steel", 100]],
    martindale: null,
    cleaning: null,
    pets: true,
    colors: [
      ["Antique Brass", "#b98d4a", "gold"],
      ["Matt Black", "#34322f", "black"],
      ["Brushed Steel", "#b5b7b8", "silver"],
    ],
  },
  "Seat Core": {
    type: "foam",
    grade: "B",
    perMeter: 0,
    composition: [["High-resilience foam", 100]],
    martindale: null,
    cleaning: null,
    pets: true,
    colors: [
      ["Medium HR 32", "#efe6bd", "yellow"],
      ["Firm HR 40", "#e2d7a0", "yellow"],
      ["Natural Latex", "#f3ecd8", "white"],
    ],
  },
};

const upholstery: ReadonlySet<MaterialType> = new Set([
  "fabric",
  "leather",
  "velvet",
  "performance",
]);

export interface DemoMaterial {
  material: Material;
  drawing: Drawing;
}

const codeOf = (family: string, color: string) =>
  slugOf(`${family.split(" ").slice(0, 2).join(" ")} ${color}`);

export function demoMaterials(now: Date): DemoMaterial[] {
  return Object.entries(ranges).flatMap(([family, range]) =>
    range.colors.map(([name, hex, group, availability = "in_stock"]) => {
      const code = codeOf(family, name);
      const title = `${family} in ${name}`;
      const picture = drawing(`materials/${code}`, title, (alt) => swatch(alt, range.type, hex));
      const sampled = upholstery.has(range.type);
      const material: Material = {
        id: demoId("mat", code),
        code,
        status: "published",
        name: `${family} ${name}`,
        family,
        type: range.type,
        grade: range.grade,
        currency,
        price_per_meter: rupees(range.perMeter),
        color: { name, hex, group },
        composition: range.composition.map(([part, percent]) => ({
          name: part,
          share_bps: percent * 100,
        })),
        martindale: range.martindale,
        cleaning_code: range.cleaning,
        pet_friendly: range.pets,
        swatch: {
          url: addressOf(picture),
          sku: sampled ? `SWATCH-${code.toUpperCase()}` : null,
          price: sampled ? rupees(49) : null,
        },
        availability,
        lead_time_days: availability === "made_to_order" ? 21 : range.type === "leather" ? 10 : 4,
        version: 1,
        published_at: daysBefore(now, 300),
        created_at: daysBefore(now, 300),
        updated_at: daysBefore(now, 40),
      };
      return { material, drawing: picture };
    }),
  );
}

/** The codes of the materials that a family offers, one for each colour. */
export function materialCodesOf(family: string): string[] {
  const range = ranges[family];
  if (!range) throw new RangeError(`There is no range of materials called ${family}`);
  return range.colors.map(([color]) => codeOf(family, color));
}
