import { join } from "node:path";
import * as z from "zod";
import { rowsOf } from "./lines.ts";
import type { Mutant, Place } from "./mutant.ts";

/** What the tests said of a mutant. */
export const Outcome = z.object({
  mutant: z.string(),
  commit: z.string(),
  result: z.enum(["failed", "timeout", "survived", "not covered", "gone"]),
  /** File and line of the mutant at this commit. */
  place: z.string().optional(),
  /** The test that failed, or the files that took too long. */
  by: z.string().optional(),
  /** How many test files run the mutant's code. */
  covering: z.int(),
  /** Those of them that tried it. */
  tests: z.array(z.string()),
});
export type Outcome = z.infer<typeof Outcome>;

export const mutantsFile = join(import.meta.dirname, "mutants.jsonl");

/** The file with a label's outcomes. */
export const outcomesFile = (label: string): string =>
  join(import.meta.dirname, "results", `${label}.jsonl`);

/** A label's outcomes of the present set, by mutant. */
export function outcomesOf(
  label: string,
  mutants: readonly Mutant[],
): ReadonlyMap<string, Outcome> {
  const ids = new Set(mutants.map(({ id }) => id));
  const rows = rowsOf(outcomesFile(label), Outcome).filter(({ mutant }) => ids.has(mutant));
  return new Map(rows.map((row) => [row.mutant, row]));
}

export type Outcomes = ReadonlyMap<string, Outcome>;

const isDetected = (outcome: Outcome | undefined): boolean =>
  outcome?.result === "failed" || outcome?.result === "timeout";

/** What two runs say of the mutants that both found. */
export interface Comparison {
  readonly both: number;
  /** How many of these each run detected. */
  readonly detected: readonly [first: number, second: number];
  /** Detected by the first run only. */
  readonly lost: readonly string[];
  /** Detected by the second run only. */
  readonly won: readonly string[];
}

export function compareRuns(first: Outcomes, second: Outcomes): Comparison {
  const isFound = (outcome: Outcome | undefined) =>
    outcome !== undefined && outcome.result !== "gone";
  const both = [...first.keys()].filter((id) => isFound(first.get(id)) && isFound(second.get(id)));
  const inFirst = both.filter((id) => isDetected(first.get(id)));
  const inSecond = both.filter((id) => isDetected(second.get(id)));
  return {
    both: both.length,
    detected: [inFirst.length, inSecond.length],
    lost: inFirst.filter((id) => !isDetected(second.get(id))),
    won: inSecond.filter((id) => !isDetected(first.get(id))),
  };
}

const share = (part: number, whole: number): string =>
  `${part} of ${whole}${whole > 0 ? ` (${((100 * part) / whole).toFixed(1)} %)` : ""}`;

/** The lines that say what a run found, with the place of each mutant that no test detected. */
export function reportOf(label: string, mutants: readonly Mutant[], outcomes: Outcomes): string[] {
  const found = [...outcomes.values()].filter(({ result }) => result !== "gone");
  const detected = found.filter(isDetected);
  const gone = outcomes.size - found.length;
  const open = mutants.length - outcomes.size;
  const missed = mutants.filter(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome !== undefined && outcome.result !== "gone" && !isDetected(outcome);
  });
  const layers = Map.groupBy(
    mutants.filter(({ id }) => found.some(({ mutant }) => mutant === id)),
    ({ layer }) => layer,
  );
  return [
    `${label}: detected ${share(detected.length, found.length)}; gone ${gone}, to try ${open}`,
    ...[...layers].map(([layer, drawn]) => {
      const part = drawn.filter(({ id }) => isDetected(outcomes.get(id))).length;
      return `  ${layer}: ${share(part, drawn.length)}`;
    }),
    ...missed.flatMap((mutant) => describe(mutant, outcomes.get(mutant.id))),
  ];
}

/** The lines that compare two runs. */
export function comparisonOf(
  labels: readonly [string, string],
  mutants: readonly Mutant[],
  outcomes: readonly [Outcomes, Outcomes],
): string[] {
  const { both, detected, lost, won } = compareRuns(...outcomes);
  const named = (title: string, ids: readonly string[]) => [
    `${title}: ${ids.length}`,
    ...mutants
      .filter(({ id }) => ids.includes(id))
      .flatMap((mutant) => describe(mutant, outcomes[1].get(mutant.id))),
  ];
  return [
    `Of the mutants that both found, ${labels[0]} detected ${share(detected[0], both)}, ` +
      `${labels[1]} ${share(detected[1], both)}.`,
    ...named("Lost", lost),
    ...named("Won", won),
  ];
}

const short = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 100);

function describe(mutant: Mutant, outcome: Outcome | undefined): string[] {
  const { id, operator, within, original, replacement } = mutant;
  const { result = "", place = mutant.file, tests = [] } = outcome ?? {};
  return [
    `${id} ${result}: ${place} ${within} (${operator}; ${tests.length} test files)`,
    `  ${short(original)}  →  ${short(replacement)}`,
  ];
}

/** File and line of a mutant. */
export const placeName = ({ file, line }: Place): string => `${file}:${line}`;
