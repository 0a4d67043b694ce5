import * as z from "zod";
import type { RecordReference } from "../base/references.ts";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { BasisPoints, Money } from "../base/money.ts";
import { Code } from "../base/names.ts";
import {
  Dimensions,
  OptionSwatch,
  OwnPackages,
  PublishedSellable,
  Sellable,
} from "../catalog/product.ts";
import { Text } from "../base/text.ts";

/**
 * Metres of fabric with at most two decimals; computed in whole centimetres. It is no `multipleOf`, because JSON Schema
 * divides binary fractions, and 1.1 / 0.01 is not whole.
 */
export const FabricMeters = z
  .number()
  .min(0)
  .max(100)
  .refine((meters) => Number(meters.toFixed(2)) === meters, {
    message: "Give the metres of fabric with at most two decimals.",
  })
  .meta({ description: "Metres of fabric with at most two decimals", example: 8.25 });
export type FabricMeters = z.output<typeof FabricMeters>;

/** What a choice adds to the price. */
export const PriceRule = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("fixed"), amount: Money }),
  z
    .strictObject({ type: z.literal("per_unit"), amount: Money })
    .meta({ description: "`amount` times the chosen number" }),
  z.strictObject({ type: z.literal("percent_of_base"), bps: BasisPoints }),
  z.strictObject({ type: z.literal("per_meter") }).meta({
    description: "Metres of fabric of the configuration times the material's price per metre",
  }),
]);
export type PriceRule = z.output<typeof PriceRule>;

/**
 * One value of an option. For `input: material` its code is a material's code, and the material's name and swatch are
 * shown.
 */
export const SofaValue = z.strictObject({
  code: Code,
  label: Text(80)
    .nullable()
    .meta({ description: "null for a material, whose name is shown instead" }),
  media: StoredPicture.nullable(),
  swatch: OptionSwatch.nullable(),
  price_rule: PriceRule.nullable().meta({
    description: "null if the base price includes the value",
  }),
  lead_time_days: z
    .int()
    .min(0)
    .max(365)
    .nullable()
    .meta({ description: "Days that the value adds to the lead time" }),
  dimensions: Dimensions.nullable().meta({
    description: "Dimensions that replace the sofa's",
  }),
  packages: OwnPackages,
  fabric_meters: FabricMeters.nullable().meta({
    description: "Metres of fabric added; for a number option, per unit",
  }),
  seats: z.int().min(1).max(20).nullable(),
});
export type SofaValue = z.output<typeof SofaValue>;

export const OptionInput = z.enum(["single", "multiple", "number", "material"]);
export type OptionInput = z.output<typeof OptionInput>;

/**
 * An option of the configurator. `min` and `max` bound the number of values of a `multiple` option, or the number
 * itself, which moves by `step`. A `number` option has exactly one value: the unit that is counted. The default
 * applies if the option is left out; an optional `single` or `material` option has none.
 */
export const OptionGroup = z.strictObject({
  code: Code,
  label: Text(80),
  help: Text(400).nullable(),
  input: OptionInput,
  required: z.boolean(),
  default: z.union([Code, z.array(Code).max(30), z.int()]).nullable(),
  min: z.int().min(0).max(1_000).nullable(),
  max: z.int().min(0).max(1_000).nullable(),
  step: z.int().min(1).max(100).nullable(),
  values: z.array(SofaValue).min(1).max(100),
});
export type OptionGroup = z.output<typeof OptionGroup>;

/**
 * If the chosen value of `when.option` is one of `in`, then one of `values` of `then.option` is required (`require`)
 * or all of them are forbidden (`forbid`). Rules cannot refer to numbers.
 */
export const SofaRule = z.strictObject({
  id: Code,
  when: z.strictObject({ option: Code, in: z.array(Code).min(1).max(100) }),
  then: z.strictObject({
    effect: z.enum(["require", "forbid"]),
    option: Code,
    values: z.array(Code).min(1).max(100),
  }),
  message: Text(300).meta({ description: "Shown to the customer when the rule is broken" }),
});
export type SofaRule = z.output<typeof SofaRule>;

const model = {
  model_version: z
    .int()
    .min(1)
    .meta({ description: "Incremented with every change of options, rules or prices" }),
  base_price: Money,
  compare_at_price: Money.nullable(),
  fabric_meters: FabricMeters.meta({
    description: "Metres of fabric before options add theirs",
  }),
  seats: z.int().min(1).max(20),
  option_groups: z.array(OptionGroup).max(30),
  rules: z.array(SofaRule).max(100),
};

/** A sofa as staff edit it: the draft. Sofas are made to order and have neither variants nor stock. */
export const Sofa = Sellable.extend({ id: Id("sofa"), ...model });
export type Sofa = z.output<typeof Sofa>;

/** A sofa as last published. */
export const PublishedSofa = PublishedSellable.extend({
  id: Id("sofa"),
  kind: z.literal("sofa"),
  ...model,
});
export type PublishedSofa = z.output<typeof PublishedSofa>;

/** The members that pricing and validation need; drafts and published copies have them. */
export type SofaModel = Pick<
  PublishedSofa,
  | "name"
  | "currency"
  | "model_version"
  | "base_price"
  | "fabric_meters"
  | "dimensions"
  | "packages"
  | "lead_time"
  | "option_groups"
  | "rules"
>;

/** The codes of the materials in the default configuration. */
export const defaultMaterials = (model: Pick<SofaModel, "option_groups">): string[] =>
  model.option_groups.flatMap(({ input, default: usual }) =>
    input === "material" && usual !== null ? [usual].flat().map(String) : [],
  );

/** The references of a sofa to the materials that it offers. */
export const materialReferences = (model: Pick<SofaModel, "option_groups">): RecordReference[] =>
  model.option_groups.flatMap(({ input, values }, group) =>
    input === "material"
      ? values.map(({ code }, value) => ({
          path: `option_groups.${group}.values.${value}.code`,
          kind: "material" as const,
          id: code,
        }))
      : [],
  );
