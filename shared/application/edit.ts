import { isDeepStrictEqual } from "node:util";
import { retryOnConflict } from "../storage/on-fresh.ts";
import { AppError } from "../domain/request/app-error.ts";

/**
 * Edits a record on a fresh read each time somebody else wrote in between.
 *
 * @param expected the version that the caller means: of `If-Match`, or for a replacement the one first read, because
 *   only a merge may be applied to what somebody else has made of the record
 * @param attempt throws Refused when what it read no longer holds
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function edit<Record extends { version: number }, Result>(
  first: Record | undefined,
  readAgain: () => Promise<Record | undefined>,
  expected: number | undefined,
  attempt: (before: Record) => Promise<Result>,
): Promise<Result> {
  return retryOnConflict(first, readAgain, async (before) => {
    const record = found(before);
    requireVersion(expected, record.version);
    return attempt(record);
  });
}

/** How a record is changed and stored. */
export interface Changing<Record> {
  /** The record after the change, one version on. */
  change(before: Record): Record | Promise<Record>;
  /** Throws Refused when what was read no longer holds. */
  save(before: Record, after: Record): Promise<unknown>;
}

/**
 * Changes a record like `edit`. A change that changes nothing is not stored, and the record keeps its version.
 *
 * @returns the record after it
 */
export async function change<Record extends { version: number }>(
  first: Record | undefined,
  readAgain: () => Promise<Record | undefined>,
  expected: number | undefined,
  { change, save }: Changing<Record>,
): Promise<Record> {
  return edit(first, readAgain, expected, async (before) => {
    const after = await change(before);
    if (isUnchanged(before, after)) return before;
    await save(before, after);
    return after;
  });
}

/** Whether two states of a record differ in nothing but the marks of a write. */
export const isUnchanged = (before: object, after: object): boolean =>
  isDeepStrictEqual(contentOf(before), contentOf(after));

function contentOf(record: object): unknown {
  const { version: _version, updated_at: _at, ...content } = record as { [name: string]: unknown };
  // As it is stored: without members that are undefined.
  return JSON.parse(JSON.stringify(content));
}

/**
 * Replaces a document that may not have been written yet, which counts as version 0.
 *
 * @throws AppError `version_mismatch`, also when somebody else wrote in between
 */
export async function replace<Record extends { version: number }, Result>(
  first: Record | undefined,
  readAgain: () => Promise<Record | undefined>,
  expected: number | undefined,
  attempt: (before: Record | undefined) => Promise<Result>,
): Promise<Result> {
  const meant = expected ?? first?.version ?? 0;
  return retryOnConflict(first, readAgain, async (before) => {
    requireVersion(meant, before?.version ?? 0);
    return attempt(before);
  });
}

/** Throws AppError `not_found` when there is none. */
export function found<Record>(record: Record | undefined): Record {
  if (record === undefined) throw new AppError("not_found");
  return record;
}

/**
 * Refuses a write that was meant for another version.
 *
 * @param expected undefined: the caller does not mind
 * @throws AppError `version_mismatch`
 */
export function requireVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return;
  throw new AppError("version_mismatch", { details: { current_version: current } });
}
