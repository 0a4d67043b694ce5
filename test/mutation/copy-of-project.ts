import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import * as z from "zod";
import { rowsOf } from "./lines.ts";
import { type Mutant, findAgain, instrumented, keyOf, workFolder } from "./mutants.ts";

const root = join(import.meta.dirname, "../..");

const Numbers = z.object({
  /** Key of a drawn mutant → its number. A mutant whose code is gone has none. */
  ids: z.record(z.string(), z.string()),
  /** Source file → the numbers of all its mutants, drawn or not. */
  idsOfFile: z.record(z.string(), z.array(z.string())),
});

/** A copy of the project at a commit, with the mutants in its sources. */
export interface Copy extends z.infer<typeof Numbers> {
  readonly folder: string;
}

/** Makes the copy, or finds the one that an earlier run made of the same commit. */
export async function copyOfProject(
  label: string,
  commit: string,
  drawn: readonly Mutant[],
): Promise<Copy> {
  const folder = join(workFolder, label, commit);
  const list = join(folder, "ids.json");
  if (existsSync(list)) {
    return { folder, ...Numbers.parse(JSON.parse(readFileSync(list, "utf8"))) };
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  // Relative, so that the whole checkout can move.
  symlinkSync(relative(folder, join(root, "node_modules")), join(folder, "node_modules"));
  const own = relative(root, import.meta.dirname);
  cpSync(import.meta.dirname, join(folder, own), { recursive: true });

  const names = [...new Set(drawn.map(({ file }) => file))];
  const present = names.filter((name) => existsSync(join(folder, name)));
  const { files, mutants } = await instrumented(folder, present);
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  const ids = drawn.flatMap((each) => {
    const placed = findAgain(each, mutants);
    return placed ? [[keyOf(each), placed.id] as const] : [];
  });
  const idsOfFile: Record<string, string[]> = {};
  for (const { file, id } of mutants) (idsOfFile[file] ??= []).push(id);
  const numbers = { ids: Object.fromEntries(ids), idsOfFile };
  writeFileSync(list, JSON.stringify(numbers));
  return { folder, ...numbers };
}

export const Kind = z.enum(["unit", "service"]);
export type Kind = z.infer<typeof Kind>;

/** What a test file did: the CPU time that its process took, in ms, and the numbers of the mutants whose code it ran. */
export const TestFileResult = z.object({
  file: z.string(),
  project: Kind,
  passed: z.boolean(),
  failed: z.string().optional(),
  cpuMs: z.number(),
  hits: z.array(z.string()),
});
export type TestFileResult = z.infer<typeof TestFileResult>;

interface Run {
  /** File to which the results are added, one per line. */
  readonly results: string;
  readonly tests: readonly string[];
  /** The number of the mutant that is switched on. Without one, the run notes which code each test file runs. */
  readonly mutant?: string;
  readonly limitMs?: number;
}

/**
 * Runs test files of the daily tier in a copy, until one fails if a mutant is switched on.
 *
 * @returns whether vitest passed; "timeout" if it had to be ended
 */
export async function runTests(
  { folder }: Copy,
  { results, tests, mutant, limitMs }: Run,
): Promise<"passed" | "failed" | "timeout"> {
  const vitest = ["run", "--config", "test/mutation/vitest.config.ts", ...tests];
  const child = spawn("vitest", mutant === undefined ? vitest : [...vitest, "--bail", "1"], {
    cwd: folder,
    stdio: "ignore",
    // A group of its own, which ends as a whole.
    detached: true,
    env: {
      ...process.env,
      TIER: "daily",
      TEST_FILE_RESULTS: results,
      ...(mutant !== undefined && { __STRYKER_ACTIVE_MUTANT__: mutant }),
    },
  });
  const end = () => process.kill(-(child.pid ?? 0), "SIGKILL");
  const interrupt = () => {
    end();
    process.exit(130);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  let late = false;
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          late = true;
          end();
        }, limitMs);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  return late ? "timeout" : code === 0 ? "passed" : "failed";
}

/** What each test file of the daily tier covers. Results of earlier runs are kept. */
export async function coverageOf(copy: Copy, kind: Kind): Promise<TestFileResult[]> {
  const results = join(copy.folder, `coverage-${kind}.jsonl`);
  const listed = join(copy.folder, `test-files-${kind}.json`);
  const list = ["list", "--filesOnly", "--json", listed, "--project", kind, "--config"];
  execFileSync("vitest", [...list, "test/mutation/vitest.config.ts"], {
    cwd: copy.folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, TIER: "daily" },
  });
  const files = z
    .array(z.object({ file: z.string() }))
    .parse(JSON.parse(readFileSync(listed, "utf8")))
    .map(({ file }) => relative(copy.folder, file));
  const missing = () => {
    const known = new Set(rowsOf(results, TestFileResult).map(({ file }) => file));
    return files.filter((file) => !known.has(file));
  };
  const tests = missing();
  if (tests.length > 0) {
    console.log(`Runs ${tests.length} ${kind} test files, to learn which mutants they cover.`);
    await runTests(copy, { results, tests });
  }
  if (missing().length > 0) throw new Error(`Did not run: ${missing().join(", ")}`);
  return rowsOf(results, TestFileResult);
}
