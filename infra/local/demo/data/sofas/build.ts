import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import type { Material } from "#shared/domain/catalog/material.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import { type Drawing, drawing } from "#infra/local/demo/gallery.ts";
import { currency, daysBefore, demoId, rupees, slugOf } from "#infra/local/demo/identity.ts";
import { materialCodesOf } from "../materials.ts";
import { type Piece, studio } from "#infra/local/demo/pictures/compose.ts";
import { productId } from "../products/build.ts";
import { careAdvice } from "../products/lines.ts";
import { finish } from "../finishes.ts";
import { drawLot, exhibit } from "#infra/local/demo/showroom.ts";
import { paragraphs } from "#infra/local/demo/words.ts";
import { type Drawings, optionGroups, sofaPackages, sofaRules } from "./options.ts";
import { type SofaRow, type SofaSize, legChoices } from "./row.ts";
import { sofaRows } from "./rows.ts";

export interface DemoSofa {
  sofa: Sofa;
  drawings: Drawing[];
  /** The drawing of the sofa's first view. Pictures of furnished rooms use it. */
  piece: Piece;
}

export const sofaId = (name: string): string => demoId("sofa", slugOf(name));

export function buildSofa(
  row: SofaRow,
  materials: ReadonlyMap<string, Material>,
  now: Date,
): DemoSofa {
  const slug = slugOf(row.name);
  const upholstery = row.families.flatMap(materialCodesOf);
  const material = (code: string) => materials.get(code)!;
  const shown = row.sizes.find(({ code }) => code === row.shownSize)!;
  const pieceOf = (size: SofaSize, code: string): Piece => ({
    shape: size.corner ? "cornerSofa" : row.shape,
    width: size.width,
    height: row.height,
    paint: {
      main: material(code).color.hex,
      frame: finish(legChoices[row.legs[0]!].finish).hex,
      accent: finish("mustard").hex,
    },
  });
  const looks = row.families.slice(0, 3).map((family) => materialCodesOf(family)[0]!);
  const views = looks.map((code) => ({
    note: `in ${material(code).name}`,
    piece: pieceOf(shown, code),
  }));
  const { media, drawings } = exhibit({
    folder: `sofas/${slug}`,
    name: row.name,
    views,
    depth: shown.depth,
    furnished: true,
  });
  const drawn = (name: string, note: string, piece: Piece): Drawing =>
    drawing(`sofas/${slug}/${name}`, `${row.name}, ${note}`, (alt) => studio(alt, piece));
  const bent = row.sizes.find(({ corner }) => corner);
  const side = (name: "left" | "right", size: SofaSize) =>
    drawn(`chaise-${name}`, `chaise on the ${name}`, {
      ...pieceOf(size, upholstery[0]!),
      mirrored: name === "left",
    });
  const choices: Drawings = {
    sizes: new Map(
      row.sizes.map((size) => [
        size.code,
        drawn(`size-${size.code}`, size.label, pieceOf(size, upholstery[0]!)),
      ]),
    ),
    sides: bent ? { left: side("left", bent), right: side("right", bent) } : null,
  };
  const published = row.badges?.includes("New") ? 3 + drawLot(slug, 14) : 30 + drawLot(slug, 240);
  const [min_days, max_days] = row.leadTime;
  const first = row.sizes[0]!;
  const sofa: Sofa = {
    id: sofaId(row.name),
    status: "published",
    ...noTimes,
    slug,
    name: row.name,
    subtitle: row.subtitle,
    brand: null,
    description_html: paragraphs(row.about, row.points),
    category_slug: "sofas",
    collection_slug: row.collection ?? null,
    rooms: ["living-room"],
    styles: [...row.styles],
    tags: [...(row.tags ?? [])],
    badges: [...(row.badges ?? [])],
    currency,
    media,
    dimensions: {
      width_mm: first.width,
      depth_mm: first.depth,
      height_mm: row.height,
      seat_height_mm: row.seat[0],
      seat_depth_mm: row.seat[1],
      arm_height_mm: row.seat[2],
      diameter_mm: null,
      weight_g: row.kg * 1000,
    },
    packages: sofaPackages(row, first),
    materials: [
      { code: "sal", label: "Kiln-dried sal wood" },
      { code: "foam", label: "High-resilience foam" },
    ],
    care: careAdvice.cloth.map(([title, body]) => ({ title, body })),
    assembly: { required: true, minutes: 10, people: 2, manual_url: null },
    warranty: [
      { component: "Frame", months: 120 },
      { component: "Foam and springs", months: 60 },
      { component: "Upholstery", months: 24 },
    ],
    delivery_classes: ["heavy", "room_of_choice", "white_glove"],
    cod_eligible: false,
    tax_class: "furniture",
    hsn_code: "94016100",
    seo: {
      title: `${row.name} | Dehleez`,
      description: `${row.subtitle}. Made to order in your size and cloth.`,
    },
    lead_time: { min_days, max_days },
    related_ids: row.related.map(productId),
    popularity:
      400 + drawLot(`popularity of ${slug}`, 900) + (row.badges?.includes("Bestseller") ? 1000 : 0),
    version: 1,
    published_at: daysBefore(now, published),
    created_at: daysBefore(now, published + 20),
    updated_at: daysBefore(now, Math.min(published, 2 + drawLot(`change of ${slug}`, 20))),
    model_version: 1,
    base_price: rupees(row.base),
    compare_at_price: row.was === undefined ? null : rupees(row.was),
    fabric_meters: row.cloth,
    seats: first.seats,
    option_groups: optionGroups(row, upholstery, choices),
    rules: sofaRules(
      row,
      upholstery.filter((code) => material(code).type === "leather"),
    ),
  };
  return {
    sofa,
    drawings: [...drawings, ...choices.sizes.values(), ...Object.values(choices.sides ?? {})],
    piece: views[0]!.piece,
  };
}

export function demoSofas(materials: readonly Material[], now: Date): DemoSofa[] {
  const byCode = new Map(materials.map((material) => [material.code, material]));
  return sofaRows.map((row) => buildSofa(row, byCode, now));
}
