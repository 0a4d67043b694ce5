import { isDeepStrictEqual } from "node:util";
import { normaliseConfiguration } from "./configuration.ts";
import type { Problem } from "../base/names.ts";
import { repeated, checkSellable, checkSofaSlug } from "../catalog/product-problems.ts";
import {
  type OptionGroup,
  type SofaModel,
  type SofaRule,
  PublishedSofa,
  type Sofa,
} from "./sofa.ts";
import { isBroken, valuesInRules, waysToAnswer } from "./sofa-rules.ts";
import type { Category } from "../catalog/category.ts";
import { type Publication, placed } from "../catalog/publish.ts";

type Model = Pick<SofaModel, "option_groups" | "rules">;

/** Maximum number of values of a `multiple` option that rules may name, because every combination is checked. */
const maximumNamedValues = 10;
/** After this many steps, `search` stops, and no problem is reported. */
const maximumSteps = 100_000;

/**
 * Problems in a sofa's options and rules: unknown names, bounds and defaults that contradict each other or the rules,
 * and values that no valid configuration contains. The availability of materials is not checked, because it changes
 * daily.
 */
export function checkSofaModel(model: Model): Problem[] {
  const problems = [
    ...model.option_groups.flatMap(checkGroup),
    ...checkNames(model),
    ...checkRules(model),
  ];
  // A search over invalid names or bounds would only report the same problems again.
  return problems.length > 0 ? problems : [...checkDefaults(model), ...checkReach(model)];
}

function checkNames({ option_groups: groups, rules }: Model): Problem[] {
  const double = (path: string) => ({ path, message: "The code has already been taken." });
  return [
    ...repeated(groups.map(({ code }) => code)).map((index) =>
      double(`option_groups.${index}.code`),
    ),
    ...groups.flatMap(({ values }, index) =>
      repeated(values.map(({ code }) => code)).map((value) =>
        double(`option_groups.${index}.values.${value}.code`),
      ),
    ),
    ...repeated(rules.map(({ id }) => id)).map((index) => double(`rules.${index}.id`)),
  ];
}

function checkGroup(group: OptionGroup, index: number): Problem[] {
  const problems: Problem[] = [];
  const at = (member: string, message: string) =>
    problems.push({ path: `option_groups.${index}.${member}`, message });
  const { input, required, min, max, step, values } = group;
  const counts = input === "number" || input === "multiple";

  if (min !== null && max !== null && min > max)
    at("max", "The max field must be at least the min field.");
  if (!counts && (min !== null || max !== null))
    at("min", "Only numbers and multiple choices have bounds.");
  if (input !== "number" && step !== null) at("step", "Only numbers have steps.");
  if (input === "number" && values.length !== 1)
    at("values", "A number has one value: the unit it counts.");
  if (input === "multiple" && (min ?? 0) > values.length)
    at("min", "The min field must not exceed the number of values.");
  if (input === "multiple" && max === 0) at("max", "At least one value must be allowed.");
  if (group.default !== null && !counts && !required) {
    at("default", "An optional choice cannot have a default: customers could not leave it out.");
  }
  values.forEach((value, position) => {
    if (value.label === null && input !== "material")
      at(`values.${position}.label`, "The label field is required.");
    if (value.price_rule?.type === "per_meter" && input !== "material") {
      at(`values.${position}.price_rule`, "Only materials are priced per metre.");
    }
  });
  return problems;
}

function checkRules({ option_groups: groups, rules }: Model): Problem[] {
  const byCode = new Map(groups.map((group) => [group.code, group]));
  const side = (
    path: string,
    option: string,
    member: string,
    codes: readonly string[],
  ): Problem[] => {
    const group = byCode.get(option);
    if (!group) return [{ path: `${path}.option`, message: `The sofa has no option "${option}".` }];
    if (group.input === "number") {
      return [{ path: `${path}.option`, message: "Rules cannot refer to number options." }];
    }
    return codes.flatMap((code, index) =>
      group.values.some((value) => value.code === code)
        ? []
        : [
            {
              path: `${path}.${member}.${index}`,
              message: `${group.label} does not offer "${code}".`,
            },
          ],
    );
  };
  return [
    ...rules.flatMap(({ when, then }, index) => [
      ...side(`rules.${index}.when`, when.option, "in", when.in),
      ...side(`rules.${index}.then`, then.option, "values", then.values),
      ...(when.option === then.option
        ? [
            {
              path: `rules.${index}.then.option`,
              message: "A rule must refer to two different options.",
            },
          ]
        : []),
    ]),
    ...groups.flatMap((group, index) =>
      group.input === "multiple" && valuesInRules(rules, group.code).size > maximumNamedValues
        ? [
            {
              path: `option_groups.${index}.values`,
              message: `Rules can refer to at most ${maximumNamedValues} values of a multiple choice.`,
            },
          ]
        : [],
    ),
  ];
}

/** Checks that the default configuration is valid. Required options without a default are left out. */
function checkDefaults(model: Model): Problem[] {
  const { configuration, errors } = normaliseConfiguration(model, {});
  const pathOf = (option: string) =>
    `option_groups.${model.option_groups.findIndex(({ code }) => code === option)}.default`;
  const chosen = new Map(
    model.option_groups
      .filter(({ code, input }) => input !== "number" && Object.hasOwn(configuration, code))
      .map(({ code }) => [code, [configuration[code] ?? []].flat().map(String)]),
  );
  return [
    ...errors
      .filter(({ code }) => code !== "required")
      .map(({ option, message }) => ({ path: pathOf(option), message })),
    ...model.rules
      .filter((rule) => isBroken(rule, chosen))
      .map((rule) => ({
        path: pathOf(rule.then.option),
        message: `The defaults break the rule "${rule.id}".`,
      })),
  ];
}

/** Values that no valid configuration contains. */
function checkReach(model: Model): Problem[] {
  if (search(model.option_groups, model.rules, null) === "none") {
    return [{ path: "rules", message: "The rules allow no valid configuration." }];
  }
  return model.option_groups.flatMap((group, index) => {
    const named = valuesInRules(model.rules, group.code);
    if (named.size === 0) return [];
    return group.values.flatMap(({ code }, position) =>
      search(model.option_groups, model.rules, { group, code }) === "none"
        ? [
            {
              path: `option_groups.${index}.values.${position}`,
              message: "The rules allow no configuration with this value.",
            },
          ]
        : [],
    );
  });
}

/**
 * Searches for a valid configuration; if `required` is set, for one that contains its value. The search tries the
 * answers to every option that rules name, and backtracks when a rule is broken. Options that no rule names can always
 * be answered, and values that no rule names are equivalent.
 *
 * @returns `unknown` if the search stopped after `maximumSteps`
 */
function search(
  groups: readonly OptionGroup[],
  rules: readonly SofaRule[],
  required: { group: OptionGroup; code: string } | null,
): "some" | "none" | "unknown" {
  const variables = groups.flatMap((group) => {
    const named = valuesInRules(rules, group.code);
    if (named.size === 0) return [];
    if (required?.group === group) named.add(required.code);
    const plain = group.values.map(({ code }) => code).filter((code) => !named.has(code));
    const ways = waysToAnswer(group, [...named], plain).filter(
      (way) => required?.group !== group || way.includes(required.code),
    );
    return [{ option: group.code, ways }];
  });
  const chosen = new Map<string, readonly string[]>();
  let steps = 0;
  const descend = (depth: number): boolean => {
    const variable = variables[depth];
    if (!variable) return true;
    for (const way of variable.ways) {
      steps += 1;
      if (steps > maximumSteps) return false;
      chosen.set(variable.option, way);
      if (!rules.some((rule) => isBroken(rule, chosen)) && descend(depth + 1)) return true;
    }
    chosen.delete(variable.option);
    return false;
  };
  if (descend(0)) return "some";
  return steps > maximumSteps ? "unknown" : "none";
}

/** The members that determine configurations and their prices. */
type Priced = Pick<
  SofaModel,
  "base_price" | "fabric_meters" | "option_groups" | "rules" | "model_version"
>;

/** The model version after an edit: it rises with every change of options, rules or prices. */
export function nextModelVersion(before: Priced, after: Omit<Priced, "model_version">): number {
  const model = ({
    base_price,
    fabric_meters,
    option_groups,
    rules,
  }: Omit<Priced, "model_version">) => [base_price, fabric_meters, option_groups, rules];
  return before.model_version + Number(!isDeepStrictEqual(model(before), model(after)));
}

/** The published copy of a sofa, or the problems that prevent it. */
export function publishSofa(
  sofa: Sofa,
  categories: readonly Category[],
  now: Date,
): Publication<PublishedSofa> {
  const problems = checkSofa(sofa, categories);
  if (problems.length > 0) return { ok: false, problems };
  const published = { ...sofa, ...placed(sofa, categories, now), kind: "sofa" };
  return { ok: true, published: PublishedSofa.parse(published) };
}

/** The problems that prevent publishing a sofa. */
export function checkSofa(sofa: Sofa, categories: readonly Category[]): Problem[] {
  return [...checkSofaSlug(sofa.slug), ...checkSellable(sofa, categories), ...checkSofaModel(sofa)];
}
