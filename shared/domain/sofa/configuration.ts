import { createHash } from "node:crypto";
import * as z from "zod";
import { LeadTime } from "../catalog/availability.ts";
import { Currency, Money } from "../base/money.ts";
import { Dimensions } from "../catalog/product.ts";
import type { OptionGroup, SofaModel } from "./sofa.ts";

/** Option code → the answer: one value's code, several codes, or a number. */
export const Configuration = z
  .record(
    z.string().max(60),
    z.union([z.string().max(60), z.array(z.string().max(60)).max(100), z.number()]),
  )
  .meta({
    example: { size: "3-seater", upholstery: "everyday-shield-dune", legs: "teak-tapered" },
  });
export type Configuration = z.output<typeof Configuration>;

const maxConfigurationBytes = 4096;

/** A configuration from a request. */
export const ChosenConfiguration = Configuration.refine(
  (configuration) => Buffer.byteLength(JSON.stringify(configuration)) <= maxConfigurationBytes,
  "The configuration field must not be greater than 4 kilobytes.",
);

export const ConfigurationErrorCode = z.enum([
  "unknown_option",
  "unknown_value",
  "required",
  "too_few",
  "too_many",
  "out_of_range",
  "step",
  "forbidden",
  "requires",
  "unavailable",
]);
export type ConfigurationErrorCode = z.output<typeof ConfigurationErrorCode>;

export const ConfigurationError = z.object({
  option: z.string(),
  code: ConfigurationErrorCode,
  message: z.string(),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .meta({ description: "Values that are valid with the other answers" }),
});
export type ConfigurationError = z.output<typeof ConfigurationError>;

export const PriceLine = z.object({
  code: z.string().meta({ description: "`base`, or option code and value code joined by a dot" }),
  label: z.string(),
  amount: Money,
});
export type PriceLine = z.output<typeof PriceLine>;

/** A validated and priced configuration. Members that depend on validity are null or empty while there are errors. */
export const PricedConfiguration = z.object({
  valid: z.boolean(),
  configuration: Configuration.meta({
    description: "With defaults filled in and options sorted",
  }),
  configuration_id: z.string().nullable().meta({
    description: "The same for equal configurations of the same `model_version`",
  }),
  errors: z.array(ConfigurationError),
  currency: Currency,
  price: Money.nullable(),
  lines: z.array(PriceLine),
  dimensions: Dimensions.nullable(),
  fabric_meters: z.number().nullable(),
  lead_time: LeadTime.nullable(),
});
export type PricedConfiguration = z.output<typeof PricedConfiguration>;

type Answer = Configuration[string];

/** An error in the answer to one option. It does not depend on the other answers. */
export type AnswerError = Omit<ConfigurationError, "allowed">;

export interface NormalisedConfiguration {
  /** Only valid answers: defaults filled in, options sorted, multiple values sorted and unique. */
  configuration: Configuration;
  errors: AnswerError[];
}

/** The bounds and the step of a number option. */
export function boundsOf({ min, max, step }: OptionGroup) {
  return { min: min ?? 0, max: max ?? 1_000, step: step ?? 1 };
}

/** Unknown options beyond this number are not reported. */
const namedUnknowns = 10;

/**
 * Normalizes any input, so that equal choices have equal configurations. It never throws: invalid answers are left
 * out and reported in `errors`. A normalized configuration stays unchanged.
 */
export function normaliseConfiguration(
  model: Pick<SofaModel, "option_groups">,
  input: unknown,
): NormalisedConfiguration {
  const sent = new Map(
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? Object.entries(input)
      : [],
  );
  const answers: [string, Answer][] = [];
  const errors: AnswerError[] = [];
  for (const group of model.option_groups) {
    const answer = readAnswer(group, sent.get(group.code) ?? group.default);
    sent.delete(group.code);
    if (typeof answer === "object" && "message" in answer) errors.push(answer);
    else if (answer !== undefined) answers.push([group.code, answer]);
  }
  for (const name of [...sent.keys()].slice(0, namedUnknowns)) {
    const option = name.slice(0, 60);
    errors.push({
      option,
      code: "unknown_option",
      message: `This sofa has no option "${option}".`,
    });
  }
  return { configuration: Object.fromEntries(answers.toSorted(byCode)), errors };
}

export const defaultConfiguration = (model: Pick<SofaModel, "option_groups">): Configuration =>
  normaliseConfiguration(model, {}).configuration;

/**
 * The id of a configuration. Equal choices of the same model version have the same id.
 *
 * @param configuration normalized
 */
export function configurationId(modelVersion: number, configuration: Configuration): string {
  const canonical = JSON.stringify([modelVersion, Object.entries(configuration).toSorted(byCode)]);
  return `cfg_${createHash("sha256").update(canonical).digest("hex").slice(0, 32)}`;
}

const byCode = ([a]: [string, Answer], [b]: [string, Answer]) => (a < b ? -1 : 1);

/** The valid answer to an option, `undefined` for no answer, or the error. */
function readAnswer(group: OptionGroup, sent: unknown): Answer | AnswerError | undefined {
  if (sent === null) {
    return group.required
      ? refusal(group, "required", `Please choose: ${group.label}.`)
      : undefined;
  }
  switch (group.input) {
    case "number":
      return readNumber(group, sent);
    case "multiple":
      return readSeveral(group, sent);
    default:
      return offers(group, sent) ? sent : refusal(group, "unknown_value", notOffered(group));
  }
}

function readNumber(group: OptionGroup, sent: unknown): number | AnswerError | undefined {
  const { min, max, step } = boundsOf(group);
  if (typeof sent !== "number" || !(sent >= min && sent <= max)) {
    return refusal(
      group,
      "out_of_range",
      `The option ${group.label} must be a number from ${min} to ${max}.`,
    );
  }
  if ((sent - min) % step !== 0) {
    return refusal(
      group,
      "step",
      `The option ${group.label} must be ${min} plus a multiple of ${step}.`,
    );
  }
  // 0 counts as no answer, unless the option is required or has a default.
  return sent === 0 && group.default === null && !group.required ? undefined : sent + 0;
}

function readSeveral(group: OptionGroup, sent: unknown): string[] | AnswerError | undefined {
  if (!Array.isArray(sent) || !sent.every((value) => offers(group, value))) {
    return refusal(group, "unknown_value", notOffered(group));
  }
  const chosen = [...new Set<string>(sent)].toSorted();
  const least = Math.max(group.min ?? 0, group.required ? 1 : 0);
  if (chosen.length === 0 && !group.required) return group.default === null ? undefined : chosen;
  if (chosen.length < least) {
    return refusal(group, "too_few", `Please choose at least ${least}: ${group.label}.`);
  }
  if (group.max !== null && chosen.length > group.max) {
    return refusal(group, "too_many", `Please choose at most ${group.max}: ${group.label}.`);
  }
  return chosen;
}

const refusal = (
  group: OptionGroup,
  code: ConfigurationErrorCode,
  message: string,
): AnswerError => ({
  option: group.code,
  code,
  message,
});
const notOffered = (group: OptionGroup) => `The option ${group.label} does not offer this choice.`;
const offers = (group: OptionGroup, value: unknown): value is string =>
  group.values.some(({ code }) => code === value);
