import { expect, test } from "vitest";
import { areOfRelease } from "#test/ci/release-commit.ts";
import { type Step, type StepResult, runStages, summaryOf } from "#test/ci/steps.ts";

const step = (name: string, script: string, environment = {}): Step => ({
  name,
  command: [process.execPath, "-e", script],
  environment,
});
const failing = (name: string) => step(name, "process.exit(3)");

async function run(...stages: Step[][]): Promise<{ printed: string[]; results: StepResult[] }> {
  const printed: string[] = [];
  const results = await runStages(stages, (text) => printed.push(text));
  return { printed, results };
}
const outcomes = (results: readonly StepResult[]) =>
  results.map(({ name, outcome }) => `${name} ${outcome}`).toSorted();

test("what a concurrent step prints appears whole, when it has ended", async () => {
  const slow = step(
    "slow",
    'console.log("a"); setTimeout(() => console.error(process.env.X), 300)',
    {
      X: "b",
    },
  );
  const { printed, results } = await run([slow, step("quick", 'console.log("c")')]);
  expect(printed).toEqual(["\n== quick\nc\n", "\n== slow\na\nb\n"]);
  expect(results.map(({ name }) => name)).toEqual(["quick", "slow"]);
  expect(results[1]?.seconds).toBeGreaterThan(0.3);
});

test("after a failed step the others of its stage still run, and later stages do not", async () => {
  const { results } = await run(
    [failing("check"), step("rehearsal", ""), step("generators", "")],
    [step("tests", "")],
  );
  expect(outcomes(results)).toEqual([
    "check failed",
    "generators passed",
    "rehearsal passed",
    "tests skipped",
  ]);
});

test("a program that cannot be started is a failed step", async () => {
  const missing: Step = { name: "missing", command: ["no-such-program"] };
  const { results } = await run([missing, step("other", "")]);
  expect(outcomes(results)).toEqual(["missing failed", "other passed"]);
});

test("the summary has the seconds of every step, also after a failure", () => {
  const results: StepResult[] = [
    { name: "check", outcome: "passed", seconds: 61.4 },
    { name: "both tiers", outcome: "failed", seconds: 300 },
    { name: "DynamoDB Local", outcome: "skipped", seconds: 0 },
  ];
  expect(summaryOf(results, 361.4).trim().split("\n").slice(1)).toEqual([
    "check              61 s",
    "both tiers        300 s  FAILED",
    "DynamoDB Local        -  not run",
    "total             361 s",
  ]);
});

test.each([
  [["test/rows/1.2.0.jsonl"], true],
  [["test/rows/enum-values.json"], false],
  [[""], false],
])("a commit that adds %j is a release: %s", (added, isRelease) => {
  expect(areOfRelease(added)).toBe(isRelease);
});
