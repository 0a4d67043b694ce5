import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./copy.ts";
import { linesOf, rowsOf } from "./lines.ts";
import { Mutant, drawMutants, findMutants, readSources } from "./mutant.ts";
import { comparisonOf, mutantsFile, outcomesOf, reportOf } from "./results.ts";
import { tryMutants } from "./try-mutants.ts";

const usage = `Changes the sources in many places, one at a time, and counts the changes that tests detect.
A mutant is found by its top-level declaration and its text, so it outlives a move; one that is gone counts in no
comparison. It is tried with the nearest six of the test files that run its code. It counts as detected if these fail
or hang with it, and pass without it. A label's run goes on after a stop.

npm run mutation -- draw [--count 200] [--seed furniture]   draws a new set from the present sources
npm run mutation -- try <label>            tries the set, or the rest of it, and stores the outcomes
    --commit <commit>    the sources and tests; by default the label's earlier ones, or HEAD
    --workers <number>   how many mutants at once; by default 1
    --only <id,…>        tries these mutants
    --limit <number>     tries the first ones
    --tests <folder,…>   with these tests only; such outcomes compare with no others
npm run mutation -- report <label>         what a label detected, and the survivors
npm run mutation -- compare <label> <label>
npm run mutation -- apply <id>             makes one change in this checkout, to see a test fail`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "furniture" },
    commit: { type: "string" },
    workers: { type: "string", default: "1" },
    only: { type: "string" },
    limit: { type: "string" },
    tests: { type: "string", default: "test/unit/,test/api/,test/e2e/" },
  },
});

const [command, first, second] = positionals;
const mutants = rowsOf(mutantsFile, Mutant);

if (command === "draw") draw();
else if (command === "try" && first !== undefined) await tryUnder(first);
else if (command === "report" && first !== undefined) report(first);
else if (command === "compare" && first !== undefined && second !== undefined)
  compare(first, second);
else if (command === "apply" && first !== undefined) apply(first);
else refuse(usage);

function refuse(problem: string): never {
  console.error(problem);
  process.exit(1);
}

function draw(): void {
  const drawn = drawMutants(readSources(root), { count: Number(values.count), seed: values.seed });
  writeFileSync(mutantsFile, linesOf(drawn));
  const operators = Map.groupBy(drawn, ({ operator }) => operator);
  const counts = [...operators].map(([operator, each]) => `${operator} ${each.length}`);
  console.log(`Drew ${drawn.length} mutants: ${counts.join(", ")}`);
}

async function tryUnder(label: string): Promise<void> {
  if (!existsSync(mutantsFile)) refuse("Draw a set first.");
  const earlier = [...outcomesOf(label, mutants).values()].at(0)?.commit;
  const named = values.commit ?? earlier ?? "HEAD";
  const git = ["rev-parse", "--short=8", named];
  const commit = execFileSync("git", git, { cwd: root, encoding: "utf8" }).trim();
  if (earlier !== undefined && earlier !== commit)
    refuse(`${label} has outcomes of ${earlier}. Take another label for ${commit}.`);
  const only = values.only?.split(",");
  const wanted = mutants
    .filter(({ id }) => only === undefined || only.includes(id))
    .slice(0, values.limit === undefined ? undefined : Number(values.limit));
  await tryMutants({
    label,
    commit,
    mutants,
    wanted,
    tests: values.tests.split(","),
    workers: Number(values.workers),
  });
  report(label);
}

function report(label: string): void {
  console.log(reportOf(label, mutants, outcomesOf(label, mutants)).join("\n"));
}

function compare(one: string, other: string): void {
  const outcomes = [outcomesOf(one, mutants), outcomesOf(other, mutants)] as const;
  console.log(comparisonOf([one, other], mutants, outcomes).join("\n"));
}

function apply(id: string): void {
  const mutant = mutants.find((each) => each.id === id) ?? refuse(`No mutant is called ${id}.`);
  const place = findMutants([mutant], readSources(root)).get(mutant);
  if (place === undefined) refuse(`${mutant.within} no longer has ${mutant.original}`);
  const { start, end, replacement } = place.mutation;
  const file = join(root, place.file);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.slice(0, start) + replacement + text.slice(end));
  console.log(`Changed ${place.file}:${place.line}. \`git checkout ${place.file}\` takes it back.`);
}
