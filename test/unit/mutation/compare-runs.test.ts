import { expect, test } from "vitest";
import type { Mutant } from "#test/mutation/mutant.ts";
import {
  type Outcome,
  type Outcomes,
  compareRuns,
  comparisonOf,
  reportOf,
} from "#test/mutation/results.ts";

const run = (results: Readonly<Record<string, Outcome["result"]>>): Outcomes =>
  new Map(
    Object.entries(results).map(([mutant, result]) => [
      mutant,
      { mutant, commit: "c", result, place: `${mutant}.ts:7`, covering: 1, tests: ["a.test.ts"] },
    ]),
  );

const mutantsNamed = (...ids: string[]): Mutant[] =>
  ids.map((id) => ({
    id,
    layer: id === "http" ? "http" : "domain",
    file: `${id}.ts`,
    within: `${id}Of`,
    operator: "comparison",
    original: "a <  b",
    replacement: "a <= b",
    occurrence: 0,
  }));

test("compares two runs by the mutants that both found, and names those lost and won", () => {
  const first = run({
    a: "failed",
    b: "failed",
    c: "survived",
    d: "failed",
    e: "gone",
    f: "failed",
  });
  const second = run({
    a: "timeout",
    b: "survived",
    c: "failed",
    d: "gone",
    e: "failed",
    g: "failed",
  });
  expect(compareRuns(first, second)).toEqual({
    both: 3,
    detected: [2, 2],
    lost: ["b"],
    won: ["c"],
  });
});

test("counts what no test covers as found and not detected", () => {
  const runs = [run({ a: "not covered" }), run({ a: "failed" })] as const;
  expect(compareRuns(...runs)).toEqual({ both: 1, detected: [0, 1], lost: [], won: ["a"] });
});

test("prints the shares of two runs and where the lost and won mutants are", () => {
  const runs = [run({ a: "failed", b: "survived" }), run({ a: "survived", b: "failed" })] as const;
  expect(comparisonOf(["before", "after"], mutantsNamed("a", "b"), runs)).toEqual([
    "Of the mutants that both found, before detected 1 of 2 (50.0 %), after 1 of 2 (50.0 %).",
    "Lost: 1",
    "a survived: a.ts:7 aOf (comparison; 1 test files)",
    "  a < b  →  a <= b",
    "Won: 1",
    "b failed: b.ts:7 bOf (comparison; 1 test files)",
    "  a < b  →  a <= b",
  ]);
});

test("reports the shares of a run, what is left to try, and the survivors with their place", () => {
  const outcomes = run({ a: "failed", b: "survived", http: "timeout", d: "gone" });
  expect(reportOf("after", mutantsNamed("a", "b", "http", "d", "e"), outcomes)).toEqual([
    "after: detected 2 of 3 (66.7 %); gone 1, to try 1",
    "  domain: 1 of 2 (50.0 %)",
    "  http: 1 of 1 (100.0 %)",
    "b survived: b.ts:7 bOf (comparison; 1 test files)",
    "  a < b  →  a <= b",
  ]);
});

test("reports a run without outcomes", () => {
  expect(reportOf("new", mutantsNamed("a"), run({}))).toEqual([
    "new: detected 0 of 0; gone 0, to try 1",
  ]);
});
