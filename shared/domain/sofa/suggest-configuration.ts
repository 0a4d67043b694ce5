import { mostSteps } from "./sofa-card.ts";
import {
  type Configuration,
  type NormalisedConfiguration,
  normaliseConfiguration,
} from "./configuration.ts";
import type { OptionGroup, SofaModel } from "./sofa.ts";
import {
  type MaterialFactsByCode,
  codesOf,
  isChoiceAvailable,
  nearestNumber,
} from "./sofa-choices.ts";
import { priceSofa } from "./sofa-price.ts";
import { involves, isBroken, valuesInRules, waysToAnswer } from "./sofa-rules.ts";

/** A valid configuration instead of an invalid one. */
export interface SuggestedConfiguration {
  readonly configuration: Configuration;
  /** In minor units. */
  readonly price: number;
}

/** One answer to an option, and how far it is from the buyer's. */
interface Way {
  readonly values: readonly string[];
  /** 0 for the buyer's own answer. */
  readonly cost: number;
}

interface Variable {
  readonly group: OptionGroup;
  /** The cheapest first. */
  readonly ways: readonly Way[];
}

/** What it costs to alter an option; more than all values of a `multiple` option together. */
const altered = 1_000;

/**
 * The valid configuration that is nearest to an invalid one: it keeps the answer to one option and alters as few others
 * as possible. Null if there is none, or if the search for it takes more than `mostSteps` steps.
 *
 * @param input any input, as `priceSofa` takes it
 * @param kept the code of the option whose answer is kept, if it is a valid one
 */
export function suggestConfiguration(
  model: SofaModel,
  materials: MaterialFactsByCode,
  input: unknown,
  kept?: string,
): SuggestedConfiguration | null {
  const read = normaliseConfiguration(model, input);
  const answers = nearestAnswers(variablesOf(model, materials, read, kept), model);
  if (!answers) return null;
  const numbers = model.option_groups.flatMap((group): [string, number][] =>
    group.input === "number" ? [[group.code, nearestNumber(group, input)]] : [],
  );
  const { valid, configuration, price } = priceSofa(model, materials, {
    ...answers,
    ...Object.fromEntries(numbers),
  });
  return valid && price !== null ? { configuration, price } : null;
}

/** The options that a search answers, the kept one first. */
function variablesOf(
  model: SofaModel,
  materials: MaterialFactsByCode,
  read: NormalisedConfiguration,
  kept: string | undefined,
): Variable[] {
  return model.option_groups
    .filter(({ input }) => input !== "number")
    .toSorted((one, other) => Number(other.code === kept) - Number(one.code === kept))
    .map((group) => {
      const ways = waysOf(model, group, materials, read);
      return { group, ways: group.code === kept ? ways.filter(({ cost }) => cost === 0) : ways };
    });
}

function waysOf(
  { rules }: Pick<SofaModel, "rules">,
  group: OptionGroup,
  materials: MaterialFactsByCode,
  { configuration, errors }: NormalisedConfiguration,
): Way[] {
  const isRead = !errors.some(({ option }) => option === group.code);
  const own = isRead ? codesOf(configuration[group.code]) : [];
  const named = valuesInRules(rules, group.code);
  const ranked = preferred(group, own);
  const [inRules, plain] = [true, false].map((isNamed) =>
    ranked.filter(
      (code) => named.has(code) === isNamed && isChoiceAvailable(group, code, materials),
    ),
  );
  const kept = own.filter((code) => plain!.includes(code));
  const others =
    group.input === "multiple"
      ? waysToAnswer(group, inRules!, plain!).map((way) => [...new Set([...way, ...kept])])
      : waysToAnswer(group, inRules!, plain!);
  const most = group.input === "multiple" ? (group.max ?? group.values.length) : 1;
  const rankOf = ({ values: [first = ""] }: Way) => ranked.indexOf(first);
  const isOwnPossible = isRead && own.every((code) => isChoiceAvailable(group, code, materials));
  return [...(isOwnPossible ? [own] : []), ...others.filter(({ length }) => length <= most)]
    .map((values) => ({ values, cost: distance(own, values, isOwnPossible) }))
    .toSorted((one, other) => one.cost - other.cost || rankOf(one) - rankOf(other));
}

/** The values of an option: the buyer's own first, then the default, then as the model lists them. */
function preferred({ values, default: usual }: OptionGroup, own: readonly string[]): string[] {
  const usualCodes = Array.isArray(usual) ? usual : [String(usual)];
  const rank = (code: string) => (own.includes(code) ? 0 : usualCodes.includes(code) ? 1 : 2);
  return values.map(({ code }) => code).toSorted((one, other) => rank(one) - rank(other));
}

function distance(
  own: readonly string[],
  values: readonly string[],
  isOwnPossible: boolean,
): number {
  const difference = new Set(own).symmetricDifference(new Set(values)).size;
  return difference === 0 && isOwnPossible ? 0 : altered + difference;
}

/** The cheapest answers that break no rule; undefined if there are none, or if finding them takes too many steps. */
function nearestAnswers(
  variables: readonly Variable[],
  { rules }: Pick<SofaModel, "rules">,
): Record<string, string | string[]> | undefined {
  const judges = variables.map(({ group }) => rules.filter((rule) => involves(rule, group.code)));
  const chosen = new Map<string, readonly string[]>();
  let best: { cost: number; answers: ReadonlyMap<string, readonly string[]> } | undefined;
  let steps = 0;

  const descend = (depth: number, cost: number): void => {
    const variable = variables[depth];
    if (!variable) {
      best = { cost, answers: new Map(chosen) };
      return;
    }
    for (const way of variable.ways) {
      steps += 1;
      if (steps > mostSteps || (best && cost + way.cost >= best.cost)) break;
      chosen.set(variable.group.code, way.values);
      if (!judges[depth]!.some((rule) => isBroken(rule, chosen)))
        descend(depth + 1, cost + way.cost);
    }
    chosen.delete(variable.group.code);
  };
  descend(0, 0);
  if (!best || steps > mostSteps) return undefined;
  const { answers } = best;
  return Object.fromEntries(
    variables.flatMap(({ group }): [string, string | string[]][] => {
      const values = [...(answers.get(group.code) ?? [])];
      if (group.input === "multiple") return [[group.code, values]];
      return values[0] === undefined ? [] : [[group.code, values[0]]];
    }),
  );
}
