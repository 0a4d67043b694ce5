import { spoken } from "#shared/domain/base/names.ts";
import {
  type ExpectedVersion,
  orNotFound,
  requireVersion,
  AppError,
  invalidFields,
} from "#shared/domain/request/app-error.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Edited } from "#shared/domain/enquiry/enquiry.ts";

/**
 * Edits a record and retries on conflict with a fresh read.
 *
 * @param expected the version from `If-Match`; undefined accepts any version. A PUT without `If-Match` passes the
 * version of `first`, because only a PATCH may be applied on top of another writer's change
 * @param attempt throws Refused on a conflict
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function edit<Record extends { version: number }, Result>(
  first: Record | undefined,
  readAgain: () => Promise<Record | undefined>,
  expected: ExpectedVersion,
  attempt: (before: Record) => Promise<Result>,
): Promise<Result> {
  return retryOnConflict(first, readAgain, async (before) => {
    const record = orNotFound(before);
    requireVersion(expected, record.version);
    return attempt(record);
  });
}

/** How a record is changed and stored. */
export interface Changing<Record> {
  /** The changed record, with the next version. */
  change(before: Record): Record | Promise<Record>;
  /** Throws Refused on a conflict. */
  save(before: Record, after: Record): Promise<unknown>;
}

/**
 * Edits a record as `edit` does. If nothing changes, nothing is stored and the record keeps its version.
 *
 * @returns the changed record
 */
export async function change<Record extends { version: number }>(
  first: Record | undefined,
  readAgain: () => Promise<Record | undefined>,
  expected: ExpectedVersion,
  { change, save }: Changing<Record>,
): Promise<Record> {
  return edit(first, readAgain, expected, async (before) => {
    const after = await change(before);
    if (isUnchanged(before, after)) return before;
    await save(before, after);
    return after;
  });
}

const ignored = { version: undefined, updated_at: undefined };

/** Whether two states of a record are equal apart from version and timestamps. */
export const isUnchanged = (before: object, after: object): boolean =>
  isSame({ ...before, ...ignored }, { ...after, ...ignored });

/** Whether two values are stored alike. An undefined member is not stored. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return false;
  return (
    Object.keys(other).every((name) => name in one || other[name] === undefined) &&
    Object.keys(one).every((name) => isSame(one[name], other[name]))
  );
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null;

/**
 * Replaces a document and retries on conflict with a fresh read. A document that was never saved has version 0.
 *
 * @throws AppError `version_mismatch`, also if another writer has changed the document since the first read
 */
export async function replaceRecord<Record extends { version: number }, Result>(
  first: Record | undefined,
  readAgain: () => Promise<Record | undefined>,
  expected: ExpectedVersion,
  attempt: (before: Record | undefined) => Promise<Result>,
): Promise<Result> {
  const expectedVersion = expected ?? first?.version ?? 0;
  return retryOnConflict(first, readAgain, async (before) => {
    requireVersion(expectedVersion, before?.version ?? 0);
    return attempt(before);
  });
}

/**
 * The edited record.
 *
 * @throws AppError `invalid_transition`, `validation_failed` when the record's rules refuse the edit
 */
export function edited<Record>(result: Edited<Record>): Record {
  if (result.ok) return result.record;
  const { refusal } = result;
  if (refusal.kind === "fields") throw invalidFields(refusal.problems);
  const { from, to, allowed } = refusal;
  const { message = `The state cannot change from ${spoken(from)} to ${spoken(to)}.` } = refusal;
  throw new AppError("invalid_transition", {
    message,
    details: { from, to, allowed },
  });
}
