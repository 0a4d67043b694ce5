import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { type Change, type Engine, type Step, outcomeOf } from "./engines.ts";
import { sequences } from "./sequences.ts";

interface Page {
  readonly Items?: readonly object[];
  readonly LastEvaluatedKey?: object;
}

/**
 * Every page of a query, without its end: DynamoDB may return a last page without items, where its limit is reached at
 * the end of a range. Other requests have one answer.
 */
async function outcomesOf(engine: Engine, step: Step): Promise<object[]> {
  const outcomes: object[] = [];
  let input = step.input;
  for (;;) {
    const outcome = await outcomeOf(engine, { ...step, input });
    const { LastEvaluatedKey, ...page }: Page = outcome;
    if (step.operation !== "Query" || "error" in outcome) return [outcome];
    if (outcomes.length === 0 || page.Items?.length) outcomes.push(page);
    if (!LastEvaluatedKey) return outcomes;
    input = { ...step.input, ExclusiveStartKey: LastEvaluatedKey };
  }
}

/** An update that does not fit its item cancels a transaction; DynamoDB Local refuses the request instead. */
const comparable = (outcome: object): object => {
  const { reasons = [] } = outcome as { reasons?: [code: string][] };
  return reasons.some(([code]) => code === "ValidationError")
    ? { error: "ValidationException", item: undefined, reasons: undefined }
    : outcome;
};

/** Only DynamoDB Local and the emulator show changes that change nothing. */
const real = (changes: readonly Change[]): Change[] =>
  changes.filter(
    ({ kind, before, after }) => kind !== "MODIFY" || !isDeepStrictEqual(before, after),
  );

/** Changes of an item stay in order; those of different items are in any order. */
const byItem = (changes: readonly Change[]): [string, Change[]][] =>
  [
    ...Map.groupBy(real(changes), ({ before, after }) => {
      const { pk, sk } = (after ?? before)!;
      return JSON.stringify([pk, sk]);
    }),
  ].toSorted(([one], [other]) => (one < other ? -1 : 1));

/**
 * Sends random sequences of requests to two engines.
 *
 * @returns the shortest sequence that was found on which they differ, with what each did; undefined if there is none
 */
export async function differenceOf(
  one: Engine,
  other: Engine,
  { runs, seed }: { runs: number; seed: number },
): Promise<string | undefined> {
  const mark = randomUUID();
  let run = 0;
  const check = fc.asyncProperty(sequences("{mark}"), async (steps) => {
    run += 1;
    const marked = JSON.parse(
      JSON.stringify(steps).replaceAll("{mark}", `${mark}${run}#`),
    ) as Step[];
    for (const step of marked) {
      const [here, there] = await Promise.all([outcomesOf(one, step), outcomesOf(other, step)]);
      if (!isDeepStrictEqual(here.map(comparable), there.map(comparable)))
        throw new Difference(marked, here, there);
    }
    const [here, there] = await Promise.all([one.changes(), other.changes()]);
    if (!isDeepStrictEqual(byItem(here), byItem(there))) throw new Difference(marked, here, there);
  });
  // Earlier tests of the engines have changed other items.
  await Promise.all([one.changes(), other.changes()]);
  const result = await fc.check(check, { numRuns: runs, seed });
  if (!result.failed) return undefined;
  return result.errorInstance instanceof Error ? result.errorInstance.message : "They differ";
}

class Difference extends Error {
  constructor(steps: readonly Step[], here: unknown, there: unknown) {
    super(
      `${steps.map((step) => JSON.stringify(step)).join("\n")}\n${JSON.stringify(here)}\n${JSON.stringify(there)}`,
    );
  }
}
