import * as z from "zod";
import { StoredPicture } from "#shared/domain/upload/media.ts";
import { timesAfter, stamped } from "#shared/domain/catalog/sellable-times.ts";
import { nextModelVersion } from "#shared/domain/sofa/sofa-model.ts";
import { OptionGroup, Sofa, SofaValue } from "#shared/domain/sofa/sofa.ts";
import { type Presets, StrictLeadTime, blank, sellableInput } from "./sellable-input.ts";

const shape = Sofa.shape;

const ValueInput = SofaValue.extend({
  media: StoredPicture.nullable(),
});
const GroupInput = OptionGroup.extend({
  values: z.array(ValueInput).min(1).max(100),
});

const choice = {
  media: null,
  swatch: null,
  price_rule: null,
  lead_time_days: null,
  dimensions: null,
  fabric_meters: null,
  seats: null,
};
const group = { help: null, required: true, min: null, max: null, step: null };
const example: z.input<typeof SofaInput> = {
  slug: "malhar-sofa",
  name: "Malhar Sofa",
  subtitle: "Low arms and a deep seat",
  description_html: "<p>A deep seat on a frame of kiln-dried sal wood.</p>",
  category_slug: "sofas",
  rooms: ["living-room"],
  delivery_classes: ["room_of_choice", "white_glove"],
  cod_eligible: false,
  lead_time: { min_days: 21, max_days: 28 },
  base_price: 4_199_000,
  fabric_meters: 8.5,
  seats: 2,
  option_groups: [
    {
      ...group,
      code: "size",
      label: "Size",
      help: "Measure the door and the lift as well as the wall.",
      input: "single",
      default: "2-seater",
      values: [
        { ...choice, code: "2-seater", label: "Two-seater" },
        {
          ...choice,
          code: "3-seater",
          label: "Three-seater",
          price_rule: { type: "fixed", amount: 900_000 },
          fabric_meters: 2.75,
          seats: 3,
        },
      ],
    },
    {
      ...group,
      code: "upholstery",
      label: "Upholstery",
      input: "material",
      default: "everyday-shield-dune",
      values: ["everyday-shield-dune", "mehfil-velvet-emerald"].map((code) => ({
        ...choice,
        code,
        label: null,
        price_rule: { type: "per_meter" },
      })),
    },
    {
      ...group,
      code: "legs",
      label: "Legs",
      input: "single",
      default: "teak-tapered",
      values: [
        { ...choice, code: "teak-tapered", label: "Tapered teak" },
        {
          ...choice,
          code: "brass",
          label: "Brass",
          price_rule: { type: "percent_of_base", bps: 300 },
        },
      ],
    },
  ],
  rules: [
    {
      id: "brass-for-velvet",
      when: { option: "legs", in: ["brass"] },
      then: { effect: "require", option: "upholstery", values: ["mehfil-velvet-emerald"] },
      message: "Legs of brass go with velvet only.",
    },
  ],
};

export const SofaInput = z.strictObject({
  ...sellableInput,
  lead_time: StrictLeadTime.default({ min_days: 28, max_days: 42 }),
  base_price: shape.base_price,
  compare_at_price: shape.compare_at_price.default(null),
  fabric_meters: shape.fabric_meters.default(0),
  seats: shape.seats,
  option_groups: z.array(GroupInput).max(30).default([]),
  rules: shape.rules.default([]),
});
export type SofaInput = z.output<typeof SofaInput>;

export const sofaExamples = { record: example, patch: { base_price: 4_299_000, badges: ["New"] } };

export function newSofa(input: SofaInput, presets: Presets, now: Date): Sofa {
  const { status = "draft", tax_class = presets.tax_class, ...members } = input;
  const times = timesAfter(undefined, status, members);
  const made = { ...members, ...times, status, tax_class, model_version: 1 };
  const first = { ...blank("sofa", presets, now), ...made };
  return { ...stamped(first, now), version: 1 };
}

export function changedSofa(
  before: Sofa,
  { status = before.status, tax_class = before.tax_class, ...change }: Partial<SofaInput>,
  now: Date,
): Sofa {
  const times = timesAfter(before, status, change);
  const after = stamped({ ...before, ...change, ...times, status, tax_class }, now);
  return { ...after, model_version: nextModelVersion(before, after) };
}
