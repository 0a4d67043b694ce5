import * as z from "zod";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { BasisPoints, Money } from "../base/money.ts";
import { Code } from "../base/names.ts";
import { Dimensions, PublishedSellable, OptionSwatch, Sellable } from "../catalog/product.ts";
import { Text } from "../base/text.ts";

/** Metres of cloth, with at most two decimals: reckoned in whole centimetres. */
export const FabricMeters = z.number().min(0).max(100).multipleOf(0.01);
export type FabricMeters = z.output<typeof FabricMeters>;

/** What a choice adds to the price. */
export const PriceRule = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("fixed"), amount: Money }),
  z
    .strictObject({ type: z.literal("per_unit"), amount: Money })
    .meta({ description: "Times the number chosen" }),
  z.strictObject({ type: z.literal("percent_of_base"), bps: BasisPoints }),
  z.strictObject({ type: z.literal("per_meter") }).meta({
    description: "The metres that the whole configuration needs, times the material's price",
  }),
]);
export type PriceRule = z.output<typeof PriceRule>;

/** One choice. For `input: material` the code is a material's, whose name and swatch are shown. */
export const SofaValue = z.strictObject({
  code: Code,
  label: Text(80).nullable().meta({ description: "null for a material: its name is shown" }),
  media: StoredPicture.nullable(),
  swatch: OptionSwatch.nullable(),
  price_rule: PriceRule.nullable().meta({ description: "null: included in the base price" }),
  lead_time_days: z
    .int()
    .min(0)
    .max(365)
    .nullable()
    .meta({ description: "Days it adds before making can start" }),
  dimensions: Dimensions.nullable().meta({
    description: "Measures that differ from the sofa's own",
  }),
  fabric_meters: FabricMeters.nullable().meta({
    description: "Added to the sofa's own; per unit for a number",
  }),
  seats: z.int().min(1).max(20).nullable(),
});
export type SofaValue = z.output<typeof SofaValue>;

export const OptionInput = z.enum(["single", "multiple", "number", "material"]);
export type OptionInput = z.output<typeof OptionInput>;

/**
 * A question the configurator asks. `min` and `max` bound how many values of a `multiple`, or the number itself,
 * which moves by `step`. A `number` has exactly one value: the unit that is counted.
 * A default answers for whoever leaves the option out; an optional `single` or `material` has none.
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
 * When the chosen value of `when.option` is one of `in`, then of `then.option` one of `values` must be chosen
 * (`require`) or none of them may be (`forbid`). Numbers take no part in rules.
 */
export const SofaRule = z.strictObject({
  id: Code,
  when: z.strictObject({ option: Code, in: z.array(Code).min(1).max(100) }),
  then: z.strictObject({
    effect: z.enum(["require", "forbid"]),
    option: Code,
    values: z.array(Code).min(1).max(100),
  }),
  message: Text(300).meta({ description: "What the customer reads when it is broken" }),
});
export type SofaRule = z.output<typeof SofaRule>;

const model = {
  model_version: z
    .int()
    .min(1)
    .meta({ description: "Rises with every change of options, rules or prices" }),
  base_price: Money,
  compare_at_price: Money.nullable(),
  fabric_meters: FabricMeters.meta({
    description: "What the sofa needs before any choice adds to it",
  }),
  seats: z.int().min(1).max(20),
  option_groups: z.array(OptionGroup).max(30),
  rules: z.array(SofaRule).max(100),
};

/** A sofa as staff edit it: the draft. Made to order, so it has neither variants nor stock. */
export const Sofa = Sellable.extend({ id: Id("sofa"), ...model });
export type Sofa = z.output<typeof Sofa>;

/** A sofa as it was last published. */
export const PublishedSofa = PublishedSellable.extend({
  id: Id("sofa"),
  kind: z.literal("sofa"),
  ...model,
});
export type PublishedSofa = z.output<typeof PublishedSofa>;

/** What pricing and checking need of a sofa; both copies have it. */
export type SofaModel = Pick<
  PublishedSofa,
  | "name"
  | "currency"
  | "model_version"
  | "base_price"
  | "fabric_meters"
  | "dimensions"
  | "lead_time"
  | "option_groups"
  | "rules"
>;
