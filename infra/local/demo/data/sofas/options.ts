import type { Package } from "#shared/domain/catalog/product.ts";
import type { OptionGroup, SofaRule, SofaValue } from "#shared/domain/sofa/sofa.ts";
import { finish } from "../finishes.ts";
import { type Drawing, pictureOf } from "#infra/local/demo/gallery.ts";
import { rupees } from "#infra/local/demo/identity.ts";
import { type SofaRow, type SofaSize, extraChoices, legChoices } from "./row.ts";

/** Pictures of the option values that change the sofa's outline. */
export interface Drawings {
  sizes: ReadonlyMap<string, Drawing>;
  /** Null for sofas without a corner. */
  sides: Readonly<Record<"left" | "right", Drawing>> | null;
}

const value = (code: string, label: string | null, facts: Partial<SofaValue> = {}): SofaValue => ({
  code,
  label,
  media: null,
  swatch: null,
  price_rule: null,
  lead_time_days: null,
  dimensions: null,
  packages: null,
  fabric_meters: null,
  seats: null,
  ...facts,
});

const fixed = (amount: number): SofaValue["price_rule"] =>
  amount > 0 ? { type: "fixed", amount: rupees(amount) } : null;

const group = (
  facts: Pick<OptionGroup, "code" | "label" | "values"> & Partial<OptionGroup>,
): OptionGroup => ({
  help: null,
  input: "single",
  required: true,
  default: facts.values[0]?.code ?? null,
  min: null,
  max: null,
  step: null,
  ...facts,
});
/** For options that a buyer need not choose. */
const optional = { required: false, default: null };

const corners = ({ sizes }: SofaRow) =>
  sizes.filter(({ corner }) => corner).map(({ code }) => code);
const straights = ({ sizes }: SofaRow) =>
  sizes.filter(({ corner }) => !corner).map(({ code }) => code);

/** The depth in mm of the seat of a corner sofa, which is packed without its chaise. */
const sectionDepth = 980;
/** In mm: the height of the legs, which are packed separately, and what the wrapping adds to each measure. */
const [legs, wrapping] = [120, 50];

/** The packages of a sofa: the legs are packed separately, and a corner sofa is packed as seat and chaise. */
export function sofaPackages({ height, kg, sizes }: SofaRow, size: SofaSize): Package[] {
  const weight = Math.round((kg * 1_000 * size.width) / (sizes[0]?.width ?? size.width));
  const section = (label: string, width: number, depth: number, share: number): Package => ({
    label,
    width_mm: width + wrapping,
    depth_mm: depth + wrapping,
    height_mm: height - legs + wrapping,
    weight_g: Math.round(weight * share),
  });
  const frame = size.corner
    ? [
        section("Seat", size.width - sectionDepth, sectionDepth, 0.6),
        section("Chaise", sectionDepth, size.depth, 0.45),
      ]
    : [section("Seat and back", size.width, size.depth, 1.05)];
  const cushions = { width_mm: 700, depth_mm: 500, height_mm: 400, weight_g: 4_500 };
  return [...frame, { label: "Legs and cushions", ...cushions }];
}

function sizeGroup(row: SofaRow, drawings: Drawings): OptionGroup {
  const values = row.sizes.map((size: SofaSize) =>
    value(size.code, size.label, {
      media: pictureOf(drawings.sizes.get(size.code)!),
      price_rule: fixed(size.more),
      dimensions: {
        width_mm: size.width,
        depth_mm: size.depth,
        height_mm: row.height,
        seat_height_mm: row.seat[0],
        seat_depth_mm: row.seat[1],
        arm_height_mm: row.seat[2],
        diameter_mm: null,
        weight_g: Math.round((row.kg * 1000 * size.width) / row.sizes[0]!.width),
      },
      packages: sofaPackages(row, size),
      fabric_meters: size.cloth > 0 ? size.cloth : null,
      seats: size.seats,
    }),
  );
  return group({
    code: "size",
    label: "Size",
    help: "Measure the door and the lift as well as the wall.",
    default: row.shownSize,
    values,
  });
}

function orientationGroup(row: SofaRow, { sides }: Drawings): OptionGroup[] {
  if (!sides) return [];
  const side = (code: keyof typeof sides, label: string) =>
    value(code, label, { media: pictureOf(sides[code]) });
  return [
    group({
      code: "orientation",
      label: "Chaise on the",
      help: "As you stand in front of the sofa and look at it.",
      values: [side("right", "Right"), side("left", "Left")],
      ...(straights(row).length > 0 && optional),
    }),
  ];
}

/** The options of a sofa in the configurator. */
export function optionGroups(
  row: SofaRow,
  upholstery: readonly string[],
  drawings: Drawings,
): OptionGroup[] {
  return [
    sizeGroup(row, drawings),
    group({
      code: "upholstery",
      label: "Upholstery",
      help: "Order samples before you decide: the colour on a screen is never quite the cloth.",
      input: "material",
      values: upholstery.map((code) => value(code, null, { price_rule: { type: "per_meter" } })),
    }),
    ...orientationGroup(row, drawings),
    group({
      code: "legs",
      label: "Legs",
      values: row.legs.map((code) => {
        const { label, finish: look, price } = legChoices[code];
        const { hex, group: color_group } = finish(look);
        return value(code, label, {
          price_rule: fixed(price),
          swatch: { hex, image: null, color_group },
        });
      }),
    }),
    group({
      code: "seat_comfort",
      label: "Seat comfort",
      help: "Firm suits backs that like to sit upright; feather needs plumping.",
      values: [
        value("medium", "Medium, HR 32 foam"),
        value("firm", "Firm, HR 40 foam", { price_rule: { type: "percent_of_base", bps: 450 } }),
        value("feather", "Feather-wrapped latex", {
          price_rule: { type: "percent_of_base", bps: 1_150 },
          lead_time_days: 5,
        }),
      ],
    }),
    ...(row.headrest
      ? [
          group({
            code: "headrest",
            label: "Headrest",
            ...optional,
            values: [
              value("adjustable", "Adjustable headrests", {
                price_rule: fixed(7_900),
                lead_time_days: 4,
                fabric_meters: 0.6,
              }),
            ],
          }),
        ]
      : []),
    ...(row.removable
      ? [
          group({
            code: "covers",
            label: "Covers",
            values: [
              value("fixed", "Fixed"),
              value("removable", "Removable for washing", {
                price_rule: fixed(4_900),
                fabric_meters: 0.8,
              }),
            ],
          }),
        ]
      : []),
    group({
      code: "extras",
      label: "Extras",
      input: "multiple",
      ...optional,
      max: row.extras.length,
      values: row.extras.map((code) =>
        value(code, extraChoices[code].label, { price_rule: fixed(extraChoices[code].price) }),
      ),
    }),
    group({
      code: "extra_cushions",
      label: "Extra cushions",
      help: "45 × 45 cm, in the sofa's own cloth.",
      input: "number",
      ...optional,
      min: 0,
      max: 6,
      step: 1,
      values: [
        value("cushion", "Cushion", {
          price_rule: { type: "per_unit", amount: rupees(950) },
          fabric_meters: 0.45,
        }),
      ],
    }),
  ];
}

type Side = readonly [option: string, values: readonly string[]];

const rule = (
  id: string,
  [option, values]: Side,
  effect: "require" | "forbid",
  [other, others]: Side,
  message: string,
): SofaRule[] =>
  values.length === 0 || others.length === 0
    ? []
    : [
        {
          id,
          when: { option, in: [...values] },
          then: { effect, option: other, values: [...others] },
          message,
        },
      ];

/** Rules that exclude combinations of options. */
export function sofaRules(row: SofaRow, leathers: readonly string[]): SofaRule[] {
  const [bent, straight] = [corners(row), straights(row)];
  const sides = ["left", "right"];
  const mixed = bent.length > 0 && straight.length > 0;
  return [
    ...(mixed
      ? [
          ...rule(
            "corner-needs-side",
            ["size", bent],
            "require",
            ["orientation", sides],
            "Please say on which side the chaise should be.",
          ),
          ...rule(
            "straight-has-no-side",
            ["size", straight],
            "forbid",
            ["orientation", sides],
            "Only corner sofas have a left or a right.",
          ),
        ]
      : []),
    ...(mixed && row.extras.includes("chaise-storage")
      ? rule(
          "storage-needs-chaise",
          ["extras", ["chaise-storage"]],
          "require",
          ["size", bent],
          "The storage is under the chaise: please choose a corner size.",
        )
      : []),
    ...(row.legs.includes("brass-tip")
      ? rule(
          "corner-needs-strong-legs",
          ["size", bent],
          "forbid",
          ["legs", ["brass-tip"]],
          "Brass-tipped legs are too slender for a corner sofa.",
        )
      : []),
    ...(row.removable
      ? rule(
          "leather-stays-on",
          ["upholstery", leathers],
          "forbid",
          ["covers", ["removable"]],
          "Leather is tacked to the frame and cannot come off for washing.",
        )
      : []),
    ...(row.headrest
      ? rule(
          "headrest-needs-core",
          ["headrest", ["adjustable"]],
          "forbid",
          ["seat_comfort", ["feather"]],
          "Adjustable headrests need a foam core: choose medium or firm.",
        )
      : []),
  ];
}
