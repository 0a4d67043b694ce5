import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { consumers } from "#functions/consumers.ts";
import { families } from "#functions/families.ts";
import { type TableGrants, recordedGrants } from "#functions/grants.ts";
import { picturedNames } from "#shared/storage/pictured-entities.ts";
import { type RecordedUse, recordedUses } from "#test/guards/recorded-uses.ts";
import type { Contents } from "./generated-files.ts";

const root = join(import.meta.dirname, "../..");
const usage = "Usage: npm run generate grants -- (<test>… | --prune)";

/** What each function may do with the table. Uses are texts, such as `writes order`. */
export type Grants = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The permissions of the functions for the table.
 *
 * @param args files or folders of tests, whose run adds what the functions were seen to use; or `--prune`, which runs
 *   all tests and removes what no function used
 * @throws RangeError if a test failed, or, with `--prune`, was skipped
 */
export async function grantFiles(args: readonly string[]): Promise<Contents> {
  const options = { prune: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.prune === positionals.length > 0) throw new RangeError(usage);
  const scratch = await mkdtemp(join(tmpdir(), "grants-"));
  try {
    const before = withPictured(grantsOf(recordedGrants));
    const after = values.prune
      ? await pruned(before, scratch)
      : await extended(before, positionals, scratch);
    return { "functions/grants.ts": grantsText(after) };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function extended(before: Grants, tests: readonly string[], scratch: string) {
  const file = join(scratch, "uses.jsonl");
  await runTests(tests, { RECORDED_USES: file });
  const { grants, unclear } = withUses(before, recordedUses(file));
  for (const each of unclear) console.error(`Name one of these in functions/grants.ts: ${each}`);
  if (unclear.length > 0) process.exitCode = 1;
  return grants;
}

async function pruned(before: Grants, scratch: string) {
  const report = join(scratch, "report.json");
  process.env["PERMISSION_USES"] = join(scratch, "uses.txt");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  await runTests(reporters, {});
  const skipped = skippedIn(JSON.parse(await readFile(report, "utf8")) as Report);
  if (skipped.length > 0) {
    throw new RangeError(`Nothing is removed, because tests were skipped:\n${skipped.join("\n")}`);
  }
  const { unusedPermissions } = await import("#test/guards/permission-guard.ts");
  return withoutUnused(before, unusedPermissions());
}

/** @throws RangeError if a test failed */
async function runTests(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", "--config", "test/vitest.config.ts", ...args],
    { cwd: root, stdio: "inherit", env: { ...process.env, TIER: "all", ...variables } },
  );
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new RangeError("functions/grants.ts stays as it is, because tests failed.");
}

/** What vitest's JSON reporter writes. */
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The names of the tests that did not run. */
export const skippedIn = ({ testResults }: Report): string[] =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== "passed")
    .map(({ fullName }) => fullName);

/** The grants that a file records. */
export const grantsOf = (recorded: Readonly<Record<string, TableGrants>>): Grants =>
  new Map(
    Object.entries(recorded).map(([name, { reads = [], writes = [] }]) => [
      name,
      new Set([...reads.map((each) => `reads ${each}`), ...writes.map((each) => `writes ${each}`)]),
    ]),
  );

/** The consumer of pictures reads every entity that declares to show some, which tests of a noun do not make it do. */
function withPictured(grants: Grants): Grants {
  const name = "on-change-media-uses";
  const reads = new Set<string>(picturedNames.map((each) => `reads ${each}`));
  return new Map([...grants, [name, reads.union(grants.get(name) ?? new Set())]]);
}

/**
 * Adds what recorded uses need and the grants do not allow yet: each entity that they surely used.
 *
 * @returns also the calls whose keys belong to several entities, none of which a function was seen to use
 */
export function withUses(
  before: Grants,
  uses: readonly RecordedUse[],
): { grants: Grants; unclear: string[] } {
  const grants = new Map(before);
  const unclear = new Set<string>();
  for (const [name, ofFunction] of Map.groupBy(uses, (use) => use.name)) {
    const granted = before.get(name) ?? new Set();
    const seen = new Set(ofFunction.flatMap((use) => use.seen));
    const missing = ofFunction.filter(({ possible }) => granted.isDisjointFrom(new Set(possible)));
    const added = missing.flatMap(({ possible }) => {
      const sure = possible.filter((use) => seen.has(use));
      if (sure.length === 0) unclear.add(`${name} ${possible.join(" or ")}`);
      return sure;
    });
    grants.set(name, granted.union(new Set(added)));
  }
  return { grants, unclear: [...unclear].toSorted() };
}

/** @param unused such as `cart: reads order`. Permissions for other services than the table stay as they are */
export const withoutUnused = (before: Grants, unused: readonly string[]): Grants =>
  new Map(
    [...before].map(([name, granted]) => [
      name,
      new Set([...granted].filter((use) => !unused.includes(`${name}: ${use}`))),
    ]),
  );

/** The text of `functions/grants.ts`, as it is formatted. Functions that the manifest does not have are left out. */
export function grantsText(grants: Grants): string {
  const names = [...families, ...consumers].map(({ name }) => name).toSorted();
  return [
    "// Recorded by `npm run generate grants -- <test>…` from what the functions were seen to use.",
    'import type { EntityName } from "#shared/storage/entity-name.ts";',
    "",
    "export interface TableGrants {",
    "  /** Entities that the function gets, queries, or checks in a transaction. */",
    "  readonly reads?: readonly EntityName[];",
    "  /** Entities that the function puts, updates or deletes. Those that it also reads are listed in `reads`, too. */",
    "  readonly writes?: readonly EntityName[];",
    "}",
    "",
    "/** The entities of each function that has permissions for the table. */",
    "export const recordedGrants: Readonly<Record<string, TableGrants>> = {",
    ...names.flatMap((name) => functionText(name, grants.get(name) ?? new Set())),
    "};",
    "",
  ].join("\n");
}

function functionText(name: string, granted: ReadonlySet<string>): string[] {
  if (granted.size === 0) return [];
  const lists = ["reads", "writes"].flatMap((verb) => {
    const uses = [...granted].filter((use) => use.startsWith(`${verb} `)).toSorted();
    const entities = uses.map((use) => JSON.stringify(use.slice(verb.length + 1)));
    if (entities.length === 0) return [];
    const line = `    ${verb}: [${entities.join(", ")}],`;
    if (line.length <= 100) return [line];
    return [`    ${verb}: [`, ...entities.map((each) => `      ${each},`), "    ],"];
  });
  return [`  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: {`, ...lists, "  },"];
}
