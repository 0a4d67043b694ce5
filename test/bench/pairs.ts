import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { declaredVariables } from "#infra/local/functions/load-function.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { bundleFile } from "#infra/bundle/bundle.ts";
import { startStack } from "#infra/local/stack.ts";
import { coldStart } from "./cold-start.ts";
import { firstCalls } from "./first-calls.ts";
import { type Cell, type Section, median } from "./report.ts";
import { scenarios } from "./scenarios.ts";
import type { StackNews } from "./server-process.ts";
import { busy, costOf, start } from "./whole-stack.ts";

const pairs = 9;
const columns = ["what", "this", "the other", "this / other"];

/**
 * Compares this checkout with another one, which has its packages installed. Both are measured in turn, and the ratio
 * is the median of the pairs' ratios.
 *
 * @param other the other checkout's directory
 */
export async function pairsSection(other: string): Promise<Section[]> {
  return [await coldStartPairs(other), await visitPairs(other)];
}

/** Measures both in turn, in alternating order. */
async function measurePairs(
  measureThis: () => Promise<number>,
  measureOther: () => Promise<number>,
): Promise<[ours: number, theirs: number, ratio: number]> {
  const samples: (readonly [number, number])[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) samples.push([await measureThis(), await measureOther()]);
    else {
      const theirs = await measureOther();
      samples.push([await measureThis(), theirs]);
    }
  }
  return [
    median(samples.map(([ours]) => ours)),
    median(samples.map(([, theirs]) => theirs)),
    median(samples.map(([ours, theirs]) => ours / theirs)),
  ];
}

function sectionOf(
  title: string,
  note: string,
  rows: [string, ...Awaited<ReturnType<typeof measurePairs>>][],
): Section {
  const ratios = rows.map(([, , , ratio]) => ratio);
  const cells: Cell[][] = [...rows, ["median", null, null, median(ratios)]];
  return { title, note: `${note} ${pairs} alternating pairs each.`, columns, rows: cells };
}

async function coldStartPairs(other: string): Promise<Section> {
  const directories = [await localBundles(), bundlesOf(other)] as const;
  const stack = await startStack({ shop: "planted" });
  try {
    const rows: [string, number, number, number][] = [];
    for (const { family, route, event } of await firstCalls(stack.environment)) {
      const environment = declaredVariables(family, stack.environment);
      const [ours, theirs] = directories.map((directory) => async () => {
        const file = bundleFile(directory, family.name);
        return (await coldStart({ file, event, environment })).answeredMs;
      });
      if (ours && theirs) rows.push([route, ...(await measurePairs(ours, theirs))]);
    }
    return sectionOf("Cold starts in pairs", "Milliseconds from import to first answer.", rows);
  } finally {
    await stack.stop();
  }
}

/** Builds the other checkout's bundles with its own code. */
function bundlesOf(other: string): string {
  const script =
    'import { localBundles } from "#infra/local/functions/local-bundles.ts";' +
    "process.stdout.write(await localBundles());";
  const args = ["--input-type=module", "--eval", script];
  return execFileSync(process.execPath, args, { cwd: other, encoding: "utf8" });
}

async function visitPairs(other: string): Promise<Section> {
  const server = "test/bench/server-process.ts";
  const driver = start("load-driver.ts");
  // In threads of their own the functions' CPU time is known: that of the rest depends on which stack started first.
  const sides = [
    start("server-process.ts", [], ["threads"]),
    start(join(other, server), [], ["threads"], { cwd: other }),
  ];
  try {
    const [ours, theirs] = await Promise.all(
      sides.map(async (stack) => {
        const target = (await stack.news) as StackNews;
        return (scenario: string) => async () => {
          const load = { baseUrl: target.baseUrl, scenario, target, connections: busy };
          const { answering, consumers } = await costOf(stack, driver, load);
          return answering + consumers;
        };
      }),
    );
    const rows: [string, number, number, number][] = [];
    for (const name of Object.keys(scenarios)) {
      if (ours && theirs) rows.push([name, ...(await measurePairs(ours(name), theirs(name)))]);
    }
    return sectionOf(
      "Visits in pairs",
      "CPU milliseconds per visit of all functions and consumers.",
      rows,
    );
  } finally {
    await Promise.all([...sides, driver].map((each) => each.stop()));
  }
}
