import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "./text.ts";
import type * as z from "zod";

/** The members that every row has besides those of its record. */
export interface RowMarks {
  readonly version: number;
  readonly created_at: z.output<typeof Timestamp>;
}

/** The changes of a set of rows. */
export interface RowChanges<Row> {
  /** The whole set after the edit. */
  readonly rows: Row[];
  /** Rows to store, each with its previous state; undefined for a new row. */
  readonly stored: { readonly before: Row | undefined; readonly after: Row }[];
  readonly removed: Row[];
}

/**
 * Compares a set of rows with its edited version. Each changed row gets the next version.
 *
 * @param nameOf returns the name that identifies a row
 */
export function rowChanges<Record extends object>(
  before: readonly (Record & RowMarks)[],
  after: readonly (Record | (Record & RowMarks))[],
  nameOf: (record: Record) => string,
  now: Date,
): RowChanges<Record & RowMarks> {
  const known = new Map(before.map((row) => [nameOf(row), row]));
  const rows = after.map((record): Record & RowMarks => {
    const was = known.get(nameOf(record));
    const marks = { version: was?.version ?? 1, created_at: was?.created_at ?? now.toISOString() };
    const row = { ...record, ...marks };
    return !was || isDeepStrictEqual(row, was) ? row : { ...row, version: was.version + 1 };
  });
  const kept = new Set(rows.map(nameOf));
  return {
    rows,
    stored: rows.flatMap((row) => {
      const was = known.get(nameOf(row));
      return was?.version === row.version ? [] : [{ before: was, after: row }];
    }),
    removed: before.filter((row) => !kept.has(nameOf(row))),
  };
}
