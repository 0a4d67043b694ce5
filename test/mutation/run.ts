import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import {
  type Copy,
  Kind,
  TestFileResult,
  copyOfProject,
  coverageOf,
  runTests,
} from "./copy-of-project.ts";
import { linesOf, rowsOf } from "./lines.ts";
import { Mutant, drawMutants, keyOf } from "./mutants.ts";

/**
 * Changes the sources in 200 places, one at a time, and counts how many of the changes the daily tests notice. A run can
 * be interrupted and goes on where it was. Prints the scores of all labels, and the mutants that survived.
 *
 * Usage: npm run mutation [-- --label before|after [--commit <commit>]]
 * The commit is by default that of the label's last result, or else the current one.
 */
const { values } = parseArgs({
  options: {
    label: { type: "string" },
    commit: { type: "string" },
  },
});
const labels = ["before", "after"];
const root = join(import.meta.dirname, "../..");
const count = 200;
/**
 * How much of the tests that cover a mutant runs, by the CPU time that they took without it. Unit tests are first, because
 * they are quick; service tests then try the mutants that no unit test detected.
 */
const testsMs = { unit: 15_000, service: 20_000 } as const satisfies Record<Kind, number>;
/** Tests that take so many times as long hang. It is much, because the machine may have other work. */
const hangsAfter = 10;

const Outcome = z.object({
  mutant: z.string(),
  kind: Kind,
  commit: z.string(),
  result: z.enum(["killed", "timeout", "survived", "no coverage", "gone"]),
  /** The first test that failed. */
  test: z.string().optional(),
  covering: z.int(),
  ran: z.int(),
  seconds: z.number(),
});
type Outcome = z.infer<typeof Outcome>;

const outcomesFile = (label: string) => join(import.meta.dirname, `${label}.jsonl`);

const drawn = await knownMutants().catch(exit);
if (values.label !== undefined) {
  if (!labels.includes(values.label)) exit(new Error(`The labels are ${labels.join(", ")}.`));
  await test(values.label, values.commit).catch(exit);
}
for (const label of labels) report(label);

function exit(problem: Error): never {
  console.error(problem.message);
  process.exit(1);
}

async function knownMutants(): Promise<Mutant[]> {
  const file = join(import.meta.dirname, "mutants.jsonl");
  if (!existsSync(file)) writeFileSync(file, linesOf(await drawMutants(root, count)));
  return rowsOf(file, Mutant);
}

async function test(label: string, named: string | undefined): Promise<void> {
  const last = rowsOf(outcomesFile(label), Outcome).at(-1)?.commit;
  const commit = execFileSync("git", ["rev-parse", "--short=8", named ?? last ?? "HEAD"], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  const killers = killersOf(labels.filter((other) => other !== label));
  const copy = await copyOfProject(label, commit, drawn);
  for (const kind of Kind.options) {
    const known = Map.groupBy(rowsOf(outcomesFile(label), Outcome), ({ mutant }) => mutant);
    const open = drawn.filter((mutant) => {
      const outcomes = known.get(keyOf(mutant)) ?? [];
      return outcomes.every((each) => each.kind !== kind && !isDetected(each));
    });
    if (open.length === 0) continue;
    const coverage = await coverageOf(copy, kind);
    for (const { file, passed, failed } of coverage)
      if (!passed) console.log(`Left out, because it fails without a mutant: ${file} > ${failed}`);
    if (kind === "service") await plantShop(copy, coverage);

    for (const [index, mutant] of open.entries()) {
      const outcome = await tryMutant(copy, mutant, { kind, coverage, killers });
      const row: Outcome = { mutant: keyOf(mutant), kind, commit, ...outcome };
      appendFileSync(outcomesFile(label), linesOf([row]));
      console.log(`${kind} ${index + 1}/${open.length} ${row.result}: ${row.mutant}`);
    }
  }
}

function isDetected({ result }: Outcome): boolean {
  return result === "killed" || result === "timeout";
}

/** Makes today's planted shop before a mutant is switched on. */
async function plantShop(copy: Copy, coverage: readonly TestFileResult[]): Promise<void> {
  const quickest = coverage.filter(({ passed }) => passed).toSorted((a, b) => a.cpuMs - b.cpuMs)[0];
  if (quickest === undefined) throw new Error("No service test passes without a mutant.");
  const results = join(copy.folder, "planting.jsonl");
  const result = await runTests(copy, { results, tests: [quickest.file] });
  if (result !== "passed") throw new Error(`${quickest.file}: ${result} without a mutant.`);
}

/** Key of a mutant → the test file that detected it under one of these labels. */
function killersOf(others: readonly string[]): ReadonlyMap<string, string> {
  const outcomes = others.flatMap((label) => rowsOf(outcomesFile(label), Outcome));
  return new Map(
    outcomes.flatMap(({ mutant, test }) => (test ? [[mutant, test.split(" > ")[0] ?? ""]] : [])),
  );
}

interface Tests {
  readonly kind: Kind;
  readonly coverage: readonly TestFileResult[];
  /** Key of a mutant → the test file that is tried first. */
  readonly killers: ReadonlyMap<string, string>;
}

async function tryMutant(
  copy: Copy,
  mutant: Mutant,
  tests: Tests,
): Promise<Omit<Outcome, "mutant" | "kind" | "commit">> {
  const began = performance.now();
  const id = copy.ids[keyOf(mutant)];
  const { covering, chosen } = testsFor(mutant, copy, tests);
  const facts = () => ({
    covering: covering.length,
    ran: chosen.length,
    seconds: Math.round((performance.now() - began) / 1000),
  });
  if (id === undefined) return { result: "gone", ...facts() };
  if (chosen.length === 0) return { result: "no coverage", ...facts() };

  const results = join(copy.folder, "mutant.jsonl");
  rmSync(results, { force: true });
  const files = chosen.map(({ file }) => file);
  const isKnown = files[0] === tests.killers.get(keyOf(mutant));
  const inTurn = isKnown && files.length > 1 ? [files.slice(0, 1), files.slice(1)] : [files];
  const limitMs = hangsAfter * testsMs[tests.kind];
  let result: Awaited<ReturnType<typeof runTests>> = "passed";
  for (const some of inTurn)
    if (result === "passed")
      result = await runTests(copy, { results, tests: some, mutant: id, limitMs });
  if (result === "timeout") return { result, ...facts() };
  if (result === "passed") return { result: "survived", ...facts() };
  const failing = rowsOf(results, TestFileResult).find(({ passed }) => !passed);
  const test = failing ? `${failing.file} > ${failing.failed}` : "vitest itself failed";
  return { result: "killed", test: test.slice(0, 300), ...facts() };
}

/**
 * The test files that run a mutant's code, and those of them for which there is time: first the one that detected it
 * under another label, then those that run much of the mutant's source file in little time.
 */
function testsFor(mutant: Mutant, { ids, idsOfFile }: Copy, { kind, coverage, killers }: Tests) {
  const killer = killers.get(keyOf(mutant));
  const id = ids[keyOf(mutant)];
  const ofFile = new Set(idsOfFile[mutant.file]);
  const covering = coverage
    .filter(({ passed, hits }) => passed && id !== undefined && hits.includes(id))
    .map((test) => ({ ...test, hits: test.hits.filter((hit) => ofFile.has(hit)).length }))
    .toSorted((a, b) => b.hits / b.cpuMs - a.hits / a.cpuMs)
    .toSorted((a, b) => Number(b.file === killer) - Number(a.file === killer));
  let ms = 0;
  const chosen = covering.filter(
    (test, index) => (ms += test.cpuMs) <= testsMs[kind] || index === 0,
  );
  return { covering, chosen };
}

/** What both kinds of tests together say of a mutant; undefined if the service tests are still to run. */
function verdictOf(outcomes: readonly Outcome[]): Outcome["result"] | undefined {
  const detected = outcomes.find(isDetected);
  if (detected !== undefined) return detected.result;
  if (outcomes.length < Kind.options.length) return undefined;
  return outcomes.find(({ result }) => result === "survived")?.result ?? outcomes[0]?.result;
}

function report(label: string): void {
  const outcomes = Map.groupBy(rowsOf(outcomesFile(label), Outcome), ({ mutant }) => mutant);
  if (outcomes.size === 0) return;
  const verdicts = drawn.map((mutant) => ({
    mutant,
    verdict: verdictOf(outcomes.get(keyOf(mutant)) ?? []),
  }));
  const number = (...wanted: (Outcome["result"] | undefined)[]) =>
    verdicts.filter(({ verdict }) => wanted.includes(verdict)).length;
  const detected = number("killed", "timeout");
  const present = drawn.length - number("gone");
  const open = number(undefined);
  console.log(
    `\n${label}: ${detected} of ${present} mutants detected (${((100 * detected) / present).toFixed(1)} %)` +
      `${open > 0 ? `, and ${open} still to judge` : ""}: killed ${number("killed")}, timeout ` +
      `${number("timeout")}, survived ${number("survived")}, no coverage ${number("no coverage")}`,
  );
  for (const { mutant, verdict } of verdicts) {
    if (verdict !== "survived" && verdict !== "no coverage") continue;
    const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 100);
    const { file, line, mutator, original, replacement } = mutant;
    console.log(`${verdict}: ${file}:${line} ${mutator}`);
    console.log(`  ${short(original)}  →  ${short(replacement)}`);
  }
}
