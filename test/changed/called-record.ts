import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Test file → functions that it called. */
export type Called = Readonly<Record<string, readonly string[]>>;

/** A finished run of test files. */
export interface FinishedRun {
  /** Whether all files of a tier ran. */
  readonly isWhole: boolean;
  /** Whether each file ran as a whole. */
  readonly wholeFiles: boolean;
  readonly files: readonly {
    readonly path: string;
    readonly passed: boolean;
    readonly functions: readonly string[] | undefined;
  }[];
}

const recordFile = join(import.meta.dirname, "../../.local/called-functions.json");

/** The record of the last whole run and of later runs; undefined before a first whole run. */
export const readCalled = (): Called | undefined =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, "utf8")) as Called) : undefined;

/** Updates the record. */
export function noteRun(run: FinishedRun): void {
  const record = recordAfter(readCalled(), run);
  if (record === undefined) return;
  mkdirSync(dirname(recordFile), { recursive: true });
  writeFileSync(recordFile, JSON.stringify(record, undefined, 1));
}

/** The record after a run. A file that failed may not have made all its calls, so the record forgets it. */
export function recordAfter(before: Called | undefined, run: FinishedRun): Called | undefined {
  if (before === undefined && !run.isWhole) return undefined;
  const after = new Map(run.isWhole ? [] : Object.entries(before ?? {}));
  for (const { path, passed, functions } of run.files) {
    if (!passed) after.delete(path);
    else if (run.wholeFiles && functions !== undefined) after.set(path, functions);
  }
  return Object.fromEntries(after);
}
