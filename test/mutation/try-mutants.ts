import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { chooseTests, importSteps, isUnit } from "./choice.ts";
import { type Copy, TestFileResult, copyOfProject, coverageOf } from "./copy.ts";
import { linesOf, rowsOf } from "./lines.ts";
import type { Mutant } from "./mutant.ts";
import { type Outcome, outcomesFile, outcomesOf, placeName } from "./results.ts";
import { runTests } from "./run-tests.ts";

interface Trial {
  readonly label: string;
  readonly commit: string;
  /** All mutants of the set, which share a copy of the project. */
  readonly mutants: readonly Mutant[];
  /** Those to try. */
  readonly wanted: readonly Mutant[];
  /** Folders of the test files. */
  readonly tests: readonly string[];
  readonly workers: number;
}

/** Tries the mutants that have no outcome yet under a label, and stores each outcome at once. */
export async function tryMutants(trial: Trial): Promise<void> {
  const { label, commit, mutants, wanted, tests, workers } = trial;
  const known = outcomesOf(label, mutants);
  const open = wanted.filter(({ id }) => !known.has(id));
  if (open.length === 0) return;
  const copy = copyOfProject(commit, mutants);
  const coverage = await coverageOf(copy, tests, workers);
  for (const { file, passed, failed } of coverage)
    if (!passed) console.log(`Left out, because it fails without a mutant: ${file} > ${failed}`);

  const file = outcomesFile(label);
  mkdirSync(dirname(file), { recursive: true });
  const next = open.entries();
  const work = async () => {
    for (const [index, mutant] of next) {
      const outcome = await tryMutant(mutant, copy, coverage);
      const { result, place = mutant.file, ...facts } = outcome ?? { result: "undecided" };
      if (outcome)
        appendFileSync(file, linesOf([{ mutant: mutant.id, commit, result, place, ...facts }]));
      console.log(`${index + 1}/${open.length} ${mutant.id} ${result}: ${place} ${mutant.within}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** A run with a mutant may take so many times as long as the one without, and a minute. */
const slowdown = 10;

/** @returns undefined if tests failed or hung without the mutant, too; then it must be tried again */
async function tryMutant(
  mutant: Mutant,
  { folder, places, importers }: Copy,
  coverage: readonly TestFileResult[],
): Promise<Omit<Outcome, "mutant" | "commit"> | undefined> {
  const place = places.get(mutant);
  if (place === undefined) return { result: "gone", covering: 0, tests: [] };
  const covering = coverage.filter(({ passed, hits }) => passed && hits.includes(mutant.id));
  const names = covering.map(({ file }) => file);
  const tests = chooseTests(place.file, names, importSteps(place.file, importers));
  const facts = { place: placeName(place), covering: covering.length, tests };
  if (tests.length === 0) return { result: "not covered", ...facts };

  // Unit files are quick. The others run only if these pass.
  for (const some of [tests.filter(isUnit), tests.filter((test) => !isUnit(test))]) {
    if (some.length === 0) continue;
    const results = join(folder, "..", `${mutant.id}.jsonl`);
    const ms = covering.filter(({ file }) => some.includes(file)).map((each) => each.ms);
    const limitMs = 60_000 + slowdown * ms.reduce((sum, each) => sum + each, 0);
    const result = await runTests(folder, { results, tests: some, mutant: mutant.id, limitMs });
    const failing = rowsOf(results, TestFileResult).find(({ passed }) => !passed);
    rmSync(results, { force: true });
    if (result === "passed") continue;
    const suspects = failing ? [failing.file] : some;
    const without = await runTests(folder, { results, tests: suspects, limitMs });
    rmSync(results, { force: true });
    if (without !== "passed") return undefined;
    const by = failing ? `${failing.file} > ${failing.failed}`.slice(0, 300) : some.join(", ");
    return { result, by, ...facts };
  }
  return { result: "survived", ...facts };
}
