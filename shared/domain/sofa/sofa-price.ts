import type { LeadTime } from "../catalog/availability.ts";
import {
  type Configuration,
  type PricedConfiguration,
  type PriceLine,
  configurationId,
  normaliseConfiguration,
} from "./configuration.ts";
import { roundHalfEven } from "../base/money.ts";
import type { Dimensions, Package } from "../catalog/product.ts";
import type { OptionGroup, SofaModel, SofaValue } from "./sofa.ts";
import {
  type MaterialFacts,
  type MaterialFactsByCode,
  configurationErrors,
} from "./sofa-choices.ts";

/** A chosen value, and its quantity. */
interface ChosenValue {
  group: OptionGroup;
  value: SofaValue;
  count: number;
  material: MaterialFacts | undefined;
}

/** A priced configuration and the packages in which it is delivered. */
interface ConfiguredSofa extends PricedConfiguration {
  readonly packages: Package[];
}

/**
 * Validates a configuration against the model, its rules and the available materials, and prices it. Amounts are
 * minor units of the sofa's currency. Each price line is rounded once, half to even, and the price is their sum. The
 * function accepts any input and never throws.
 */
export function priceSofa(
  model: SofaModel,
  materials: MaterialFactsByCode,
  input: unknown,
): ConfiguredSofa {
  const normalised = normaliseConfiguration(model, input);
  const { configuration } = normalised;
  const errors = configurationErrors(model, materials, normalised, input);
  const { currency } = model;
  if (errors.length > 0) {
    return {
      valid: false,
      configuration,
      configuration_id: null,
      errors,
      currency,
      price: null,
      lines: [],
      dimensions: null,
      fabric_meters: null,
      lead_time: null,
      packages: model.packages,
    };
  }
  const chosen = chosenValues(model, materials, configuration);
  const centimetres = fabricCentimetres(model, chosen);
  const lines = priceLines(model, chosen, centimetres);
  return {
    valid: true,
    configuration,
    configuration_id: configurationId(model.model_version, configuration),
    errors,
    currency,
    price: lines.reduce((sum, { amount }) => sum + amount, 0),
    lines,
    dimensions: dimensionsOf(model, chosen),
    fabric_meters: centimetres / 100,
    lead_time: leadTimeOf(model, chosen),
    packages: packagesOf(model, chosen),
  };
}

function chosenValues(
  model: SofaModel,
  materials: MaterialFactsByCode,
  configuration: Configuration,
): ChosenValue[] {
  return model.option_groups.flatMap((group) => {
    const answer = configuration[group.code];
    if (answer === undefined) return [];
    return group.values.flatMap((value) => {
      const count = countOf(answer, value.code);
      const material = group.input === "material" ? materials.get(value.code) : undefined;
      return count > 0 ? [{ group, value, count, material }] : [];
    });
  });
}

/** The quantity of a value in an answer; a number counts the only value of its option. */
function countOf(answer: Configuration[string], code: string): number {
  if (typeof answer === "number") return answer;
  return Number(typeof answer === "string" ? answer === code : answer.includes(code));
}

export const centimetresOf = (meters: number | null): number => Math.round((meters ?? 0) * 100);

function fabricCentimetres(model: SofaModel, chosen: readonly ChosenValue[]): number {
  return chosen.reduce(
    (sum, { value, count }) => sum + centimetresOf(value.fabric_meters) * count,
    centimetresOf(model.fabric_meters),
  );
}

/** The facts about a chosen value that its price depends on. */
interface ChosenAmount {
  readonly count: number;
  readonly material: Pick<MaterialFacts, "price_per_meter"> | undefined;
  /** The length of fabric that the whole configuration needs. */
  readonly centimetres: number;
}

/** What a choice adds to the price, in minor units. */
export function amountOf(
  { base_price }: Pick<SofaModel, "base_price">,
  { price_rule: rule }: Pick<SofaValue, "price_rule">,
  { count, material, centimetres }: ChosenAmount,
): number {
  switch (rule?.type) {
    case undefined:
      return 0;
    case "fixed":
      return rule.amount;
    case "per_unit":
      return rule.amount * count;
    case "percent_of_base":
      return roundHalfEven(BigInt(base_price) * BigInt(rule.bps), 10_000);
    case "per_meter":
      return roundHalfEven(BigInt(material?.price_per_meter ?? 0) * BigInt(centimetres), 100);
  }
}

function priceLines(
  model: SofaModel,
  chosen: readonly ChosenValue[],
  centimetres: number,
): PriceLine[] {
  const base = { code: "base", label: model.name, amount: model.base_price };
  const added = chosen
    .filter(({ value }) => value.price_rule !== null)
    .map(({ group, value, count, material }) => ({
      code: `${group.code}.${value.code}`,
      label: `${group.label}: ${group.input === "number" ? count : (material?.name ?? value.label ?? value.code)}`,
      amount: amountOf(model, value, { count, material, centimetres }),
    }));
  return [base, ...added];
}

/** The sofa's dimensions, overridden by those of its choices. */
function dimensionsOf(model: SofaModel, chosen: readonly ChosenValue[]): Dimensions {
  const named = chosen.flatMap(({ value }) =>
    Object.entries(value.dimensions ?? {}).filter(([, measure]) => measure !== null),
  );
  return { ...model.dimensions, ...Object.fromEntries(named) };
}

/**
 * The packages of the chosen values, or those of the sofa if no chosen value has packages. The packages of a number
 * option are repeated as many times as the chosen number.
 */
function packagesOf(model: SofaModel, chosen: readonly ChosenValue[]): Package[] {
  const own = chosen.flatMap(({ value: { packages }, count }) =>
    packages === null ? [] : Array.from({ length: count }, () => packages).flat(),
  );
  return own.length > 0 ? own : model.packages;
}

/** Materials are procured in parallel, so the longest wait counts; production starts afterwards. */
function leadTimeOf(model: SofaModel, chosen: readonly ChosenValue[]): LeadTime {
  const wait = Math.max(
    0,
    ...chosen.flatMap(({ value, material }) => [
      value.lead_time_days ?? 0,
      material?.lead_time_days ?? 0,
    ]),
  );
  const { min_days, max_days } = model.lead_time;
  return { min_days: Math.min(365, min_days + wait), max_days: Math.min(365, max_days + wait) };
}
