import { dirname, join } from "node:path";
import type { Sources } from "./mutant.ts";

/** How many test files try a mutant, and how many of these are unit files as long as there are others. */
export const most = { files: 6, unit: 3 } as const;

/** Whether a test file is a unit file. The others test the service over HTTP. */
export const isUnit = (test: string): boolean => test.startsWith("test/unit/");

/**
 * The test files that try a mutant of a source file: of those that run its code, the nearest three unit files, then the
 * nearest others, six together; more unit files where there are too few others. Nearest is the file whose path has
 * most words of the source's path (`test/unit/domain/pricing/tax.test.ts` for `shared/domain/pricing/tax.ts`), then the
 * one from which fewest imports lead to the source, then the first by name. No time counts, so every machine chooses
 * the same.
 *
 * @param covering the test files that run the mutant's code
 * @param steps imports between each test file and the source
 */
export function chooseTests(
  source: string,
  covering: readonly string[],
  steps: ReadonlyMap<string, number>,
): string[] {
  const words = wordsOf(source);
  const nearness = covering.map((test) => ({
    test,
    shared: words.intersection(wordsOf(test)).size,
    steps: steps.get(test) ?? Infinity,
  }));
  const nearest = nearness
    .toSorted(
      (a, b) =>
        b.shared - a.shared ||
        (a.steps === b.steps ? 0 : a.steps - b.steps) ||
        (a.test < b.test ? -1 : 1),
    )
    .map(({ test }) => test);
  const unit = nearest.filter(isUnit);
  const others = nearest.filter((test) => !isUnit(test));
  const units = Math.max(most.unit, most.files - others.length);
  const chosen = unit.slice(0, units);
  return [...chosen, ...others.slice(0, most.files - chosen.length)];
}

/** Words that say nothing about what a file is about. */
const common = new Set(["shared", "functions", "test", "unit", "api", "e2e", "ts"]);

const wordsOf = (path: string): Set<string> =>
  new Set(path.split(/[/.-]/).filter((word) => !common.has(word)));

const imports =
  /^(?:import|export)\s(?!type\b)[^;]*?from "([.#][^"]+)"|\bimport\("([.#][^"]+)"\)/gm;

/** Path of each file that imports a source, directly or not → how many imports lead from it to the source. */
export function importSteps(source: string, importers: Importers): ReadonlyMap<string, number> {
  const steps = new Map([[source, 0]]);
  for (const [file, count] of steps)
    for (const importer of importers.get(file) ?? [])
      if (!steps.has(importer)) steps.set(importer, count + 1);
  return steps;
}

/** Path of a file → the files that import it for more than types. */
export type Importers = ReadonlyMap<string, readonly string[]>;

/** Follows the imports of sources and tests. */
export function importersOf(files: Sources): Importers {
  const pairs = [...files].flatMap(([file, text]) =>
    [...text.matchAll(imports)].map(([, named, awaited]) => {
      const path = named ?? awaited ?? "";
      return { file, to: path.startsWith("#") ? path.slice(1) : join(dirname(file), path) };
    }),
  );
  const grouped = Map.groupBy(pairs, ({ to }) => to);
  return new Map([...grouped].map(([to, each]) => [to, each.map(({ file }) => file)]));
}
