import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { AppError, invalidField } from "#shared/http/errors.ts";
import { type CursorMeta, type CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";

/** One page of entries that are kept together. Throws AppError `validation_failed` on a cursor to nowhere. */
export function entriesPage<Entry extends object>(
  list: string,
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  { per_page, cursor }: z.output<typeof CursorPage>,
): { data: Entry[]; meta: z.output<typeof CursorMeta> } {
  const scope = { attribute: "pk", value: list };
  const after = keyOfCursor(cursor, scope)?.["sk"];
  const start = after === undefined ? 0 : 1 + entries.findIndex((entry) => nameOf(entry) === after);
  if (after !== undefined && start === 0) {
    throw invalidField("cursor", "The cursor field is invalid.");
  }
  const data = entries.slice(start, start + per_page);
  const last = data.at(-1);
  const next = last && start + per_page < entries.length ? { sk: nameOf(last) } : undefined;
  return { data, meta: { per_page, next_cursor: cursorOf(next, scope) } };
}

/**
 * Refuses to replace an entry that is not as it was read; that its neighbours changed does not matter.
 *
 * @throws AppError `version_mismatch`
 */
export function requireUnchanged(read: unknown, now: unknown, version: number): void {
  if (isDeepStrictEqual(read, now)) return;
  throw new AppError("version_mismatch", { details: { current_version: version } });
}
