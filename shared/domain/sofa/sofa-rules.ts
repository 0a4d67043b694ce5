import type { OptionGroup, SofaRule } from "./sofa.ts";

/** Option code → chosen values; an empty list for no answer. A missing option is undecided. */
export type Chosen = ReadonlyMap<string, readonly string[]>;

/** Whether the choices break a rule. Undecided options break none. */
export function isBroken(rule: SofaRule, chosen: Chosen): boolean {
  const cause = chosen.get(rule.when.option);
  const target = chosen.get(rule.then.option);
  if (!cause || !target || !cause.some((value) => rule.when.in.includes(value))) return false;
  const hit = target.some((value) => rule.then.values.includes(value));
  return rule.then.effect === "require" ? !hit : hit;
}

export const involves = (rule: SofaRule, option: string): boolean =>
  rule.when.option === option || rule.then.option === option;

/** The values of an option that rules name. */
export function valuesInRules(rules: readonly SofaRule[], option: string): Set<string> {
  return new Set(
    rules.flatMap((rule) => [
      ...(rule.when.option === option ? rule.when.in : []),
      ...(rule.then.option === option ? rule.then.values : []),
    ]),
  );
}

/**
 * Up to this number of named values, all their combinations are tried. It is one more than rules may name, because the
 * search may add a value of its own.
 */
const combined = 11;

/**
 * All answers to an option that rules can distinguish. The `plain` values are equivalent and used in order. For a
 * `multiple` option with very many named values, only the smallest combinations are returned.
 *
 * @param named values that rules name
 * @param plain values that no rule names, preferred ones first
 */
export function waysToAnswer(
  group: OptionGroup,
  named: readonly string[],
  plain: readonly string[],
): string[][] {
  const nothing = group.required ? [] : [[]];
  if (group.input !== "multiple") {
    return [...nothing, ...[...named, ...plain.slice(0, 1)].map((value) => [value])];
  }
  const least = Math.max(1, group.min ?? 1);
  const most = group.max ?? group.values.length;
  const sets = subsets(named.slice(0, combined))
    .map((set) => [...set, ...plain.slice(0, Math.max(0, least - set.length))])
    .filter((set) => set.length >= least && set.length <= most);
  return [...nothing, ...sets];
}

function subsets(values: readonly string[]): string[][] {
  return Array.from({ length: 2 ** values.length }, (_, bits) =>
    values.filter((_value, index) => (bits & (1 << index)) !== 0),
  );
}
