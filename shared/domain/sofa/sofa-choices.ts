import {
  type AnswerError,
  type Configuration,
  type ConfigurationError,
  type NormalisedConfiguration,
  boundsOf,
} from "./configuration.ts";
import { type PublishedMaterial, canBeChosen } from "../catalog/material.ts";
import type { OptionGroup, SofaModel, SofaRule } from "./sofa.ts";
import { type Chosen, involves, isBroken } from "./sofa-rules.ts";

/** The members of a material that validation and pricing need. */
export type MaterialFacts = Pick<
  PublishedMaterial,
  "name" | "price_per_meter" | "availability" | "lead_time_days"
>;
/** The published materials, keyed by code. A material that is missing here cannot be chosen. */
export type MaterialFactsByCode = ReadonlyMap<string, MaterialFacts>;

/** Whether a value is currently available. */
export function isChoiceAvailable(
  group: OptionGroup,
  code: string,
  materials: MaterialFactsByCode,
): boolean {
  if (group.input !== "material") return true;
  const material = materials.get(code);
  return material !== undefined && canBeChosen(material);
}

/** The codes of all materials that a sofa offers, so that one batch can read them. */
export const materialCodes = (model: Pick<SofaModel, "option_groups">): string[] => [
  ...new Set(
    model.option_groups
      .filter(({ input }) => input === "material")
      .flatMap(({ values }) => values.map(({ code }) => code)),
  ),
];

interface Finding extends AnswerError {
  rule?: SofaRule;
}

/**
 * All errors of a configuration: errors of single options (from `normaliseConfiguration`), unavailable materials, and
 * broken rules between options. Each error lists the values that are valid with the other answers.
 *
 * @param input the unvalidated input, to suggest the nearest numbers
 */
export function configurationErrors(
  model: SofaModel,
  materials: MaterialFactsByCode,
  { configuration, errors: own }: NormalisedConfiguration,
  input: unknown,
): ConfigurationError[] {
  const undecided = new Set(own.map(({ option }) => option));
  const chosen = new Map(
    model.option_groups
      .filter(({ code, input }) => input !== "number" && !undecided.has(code))
      .map(({ code }) => [code, codesOf(configuration[code])]),
  );
  const findings: Finding[] = [
    ...own,
    ...unavailable(model, materials, chosen),
    ...model.rules.filter((rule) => isBroken(rule, chosen)).map(brokenRule),
  ];
  const groups = new Map(model.option_groups.map((group) => [group.code, group]));
  return findings.map((finding) => {
    const { option, code, message } = finding;
    const group = groups.get(option);
    const allowed = group
      ? instead(group, finding, { rules: model.rules, chosen, materials, input })
      : [];
    return { option, code, message, allowed };
  });
}

/** The codes of the values in an answer; none for a number. */
export const codesOf = (answer: Configuration[string] | undefined): readonly string[] =>
  typeof answer === "string" ? [answer] : Array.isArray(answer) ? answer : [];

function unavailable(model: SofaModel, materials: MaterialFactsByCode, chosen: Chosen): Finding[] {
  return model.option_groups
    .filter((group) =>
      chosen.get(group.code)?.some((code) => !isChoiceAvailable(group, code, materials)),
    )
    .map((group) => ({
      option: group.code,
      code: "unavailable",
      message: `${group.label}: this choice is currently not available.`,
    }));
}

const brokenRule = (rule: SofaRule): Finding => ({
  option: rule.then.option,
  code: rule.then.effect === "require" ? "requires" : "forbidden",
  message: rule.message,
  rule,
});

/** The facts that decide which values an option may have. */
interface Circumstances {
  readonly rules: readonly SofaRule[];
  readonly chosen: Chosen;
  readonly materials: MaterialFactsByCode;
  readonly input: unknown;
}

/** The valid values of the option that has the error. */
function instead(
  group: OptionGroup,
  finding: Finding,
  { rules, chosen, materials, input }: Circumstances,
): (string | number)[] {
  if (group.input === "number") return numbersNear(group, numberIn(input, group.code));
  const several = group.input === "multiple";
  // Values of a `multiple` option can be chosen together, so a rule that requires one value excludes no other value.
  const judged = rules.filter(
    (rule) =>
      involves(rule, group.code) &&
      !(several && rule.then.effect === "require" && rule.then.option === group.code),
  );
  const needed = several && finding.code === "requires" ? finding.rule?.then.values : undefined;
  return group.values
    .map(({ code }) => code)
    .filter(
      (code) =>
        isChoiceAvailable(group, code, materials) &&
        (needed?.includes(code) ?? true) &&
        !judged.some(
          (rule) =>
            !asksForMore(rule, group.code, chosen) &&
            isBroken(rule, new Map(chosen).set(group.code, [code])),
        ),
    );
}

/**
 * Whether a rule is broken only because another option has no answer yet. Such a rule excludes no value of this option.
 */
const asksForMore = ({ then }: SofaRule, option: string, chosen: Chosen): boolean =>
  then.effect === "require" && then.option !== option && chosen.get(then.option)?.length === 0;

/** The answer to a number option if it is valid, or else the valid number nearest to it; its least number without one. */
export function nearestNumber(group: OptionGroup, input: unknown): number {
  const near = numberIn(input, group.code, Number(group.default ?? 0));
  if (near === 0 && !group.required) return 0;
  const distance = (number: number) => Math.abs(number - near);
  return numbersNear(group, near).reduce((one, other) =>
    distance(other) < distance(one) ? other : one,
  );
}

/** The valid numbers on either side of `near`. */
function numbersNear(group: OptionGroup, near: number): number[] {
  const { min, max, step } = boundsOf(group);
  const last = min + Math.floor((max - min) / step) * step;
  const below = min + Math.floor((near - min) / step) * step;
  return [...new Set([below, below + step].map((value) => Math.min(Math.max(value, min), last)))];
}

function numberIn(input: unknown, option: string, otherwise = 0): number {
  const value: unknown =
    typeof input === "object" && input !== null && Object.hasOwn(input, option)
      ? Reflect.get(input, option)
      : otherwise;
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}
