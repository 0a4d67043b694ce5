import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import * as z from "zod";
import { type Importers, importersOf } from "./choice.ts";
import { linesOf, rowsOf } from "./lines.ts";
import { type Mutant, type Place, findMutants, readSources, withSwitches } from "./mutant.ts";
import { runTests } from "./run-tests.ts";

export const root = join(import.meta.dirname, "../..");

/** A copy of the project at a commit, with all mutants in its sources, each switched off. */
export interface Copy {
  readonly folder: string;
  /** Where each mutant is; it has none if it is gone. */
  readonly places: ReadonlyMap<Mutant, Place | undefined>;
  readonly importers: Importers;
}

/** Makes the copy, or finds the one that an earlier run made of the same commit and mutants. */
export function copyOfProject(commit: string, mutants: readonly Mutant[]): Copy {
  const set = createHash("sha256").update(linesOf(mutants)).digest("hex").slice(0, 8);
  const folder = join(root, ".local/mutation", `${commit}-${set}`);
  const original = join(folder, "original");
  const copy = join(folder, "copy");
  if (!existsSync(join(folder, "complete"))) {
    rmSync(folder, { recursive: true, force: true });
    for (const each of [original, copy]) extract(commit, each);
    // Relative, so that the whole checkout can move.
    symlinkSync(relative(copy, join(root, "node_modules")), join(copy, "node_modules"));
  }
  const own = relative(root, import.meta.dirname);
  cpSync(import.meta.dirname, join(copy, own), { recursive: true });

  const sources = readSources(original);
  const places = findMutants(mutants, sources);
  const present = [...places.values()].filter((place) => place !== undefined);
  for (const [file, inFile] of Map.groupBy(present, (place) => place.file)) {
    const switches = inFile.map(({ mutant, mutation }) => ({ id: mutant.id, mutation }));
    writeFileSync(join(copy, file), withSwitches(sources.get(file) ?? "", switches));
  }
  writeFileSync(join(folder, "complete"), "");
  const others = globSync(["test/**/*.ts", "infra/**/*.ts"], { cwd: original });
  const texts = others.map((name) => [name, readFileSync(join(original, name), "utf8")] as const);
  return { folder: copy, places, importers: importersOf(new Map([...sources, ...texts])) };
}

function extract(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
}

/** What a test file did. */
export const TestFileResult = z.object({
  file: z.string(),
  passed: z.boolean(),
  failed: z.string().optional(),
  ms: z.number(),
  /** The mutants whose code it ran. */
  hits: z.array(z.string()),
});
export type TestFileResult = z.infer<typeof TestFileResult>;

/**
 * What each test file of the first tier does without a mutant. Results of earlier runs are kept.
 *
 * @param folders those of the test files
 */
export async function coverageOf(
  { folder }: Copy,
  folders: readonly string[],
  workers: number,
): Promise<TestFileResult[]> {
  const results = join(folder, "..", "coverage.jsonl");
  const files = testFilesOf(folder, folders);
  const known = () => rowsOf(results, TestFileResult);
  const missing = () => {
    const ran = new Set(known().map(({ file }) => file));
    return files.filter((file) => !ran.has(file));
  };
  const tests = missing();
  if (tests.length > 0) {
    console.log(`Runs ${tests.length} test files, to learn which mutants' code they run.`);
    await runTests(folder, { results, tests, covers: true, workers });
  }
  if (missing().length > 0) throw new Error(`Did not run: ${missing().join(", ")}`);
  const named = new Set(files);
  return known().filter(({ file }) => named.has(file));
}

function testFilesOf(folder: string, folders: readonly string[]): string[] {
  const list = join(folder, "..", "test-files.json");
  const config = ["--config", "test/mutation/vitest.config.ts"];
  execFileSync("vitest", ["list", ...folders, "--filesOnly", "--json", list, ...config], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, TIER: "daily" },
  });
  return z
    .array(z.object({ file: z.string() }))
    .parse(JSON.parse(readFileSync(list, "utf8")))
    .map(({ file }) => relative(folder, file));
}
