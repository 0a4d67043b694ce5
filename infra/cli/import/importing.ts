import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { AuditContext } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import type { ImportRow } from "./read-rows.ts";

/** The context of an import. */
export interface Importing {
  readonly table: Table;
  readonly audit: AuditContext;
  /** The shop's currency. */
  readonly currency: string;
  /** Hosts that redirects may target. */
  readonly hosts: readonly string[];
  /** Whether the file replaces records that were changed after the export. */
  readonly overwrite: boolean;
  /** Whether a CSV file may lack columns. Members without a column stay as they are. */
  readonly partial: boolean;
}

export type Outcome = "created" | "updated" | "unchanged";

/** Imports one record. Throws AppError with the reasons of a refusal. */
export type ImportRecord = (data: unknown, importing: Importing) => Promise<Outcome>;

/** A reason why a row was refused. */
export interface RowProblem {
  readonly line: number;
  readonly record: string;
  readonly id: string | null;
  /** Dotted path in the record; empty for the record as a whole. */
  readonly path: string;
  readonly sentence: string;
}

export interface ImportReport {
  readonly outcomes: Record<Outcome, number>;
  readonly problems: readonly RowProblem[];
}

/** @throws AppError `version_mismatch` if the shop has a newer version than the file */
export function requireNotNewer(
  before: { version: number },
  sent: { version: number },
  { overwrite }: Importing,
): void {
  if (overwrite || before.version <= sent.version) return;
  throw new AppError("version_mismatch", {
    message: `The record was changed after the export: the shop has version ${before.version}, the file has ${sent.version}. Pass --overwrite to replace it.`,
    details: { path: "version" },
  });
}

/**
 * The row with the stored record's members where a partial file has none. A file that overwrites needs no version.
 *
 * @throws AppError `validation_failed` if the row of a stored record has no version
 */
export function completed(
  data: unknown,
  before: { readonly version: number } | undefined,
  { partial, overwrite }: Pick<Importing, "partial" | "overwrite">,
): unknown {
  if (typeof data !== "object" || data === null) return data;
  const sent = partial ? { ...before, ...data } : data;
  if (!before || hasVersion(data)) return sent;
  if (overwrite) return { ...sent, version: before.version };
  throw invalidField(
    "version",
    "The version of the export is missing. Pass --overwrite to replace whatever the shop has.",
  );
}

/** An empty cell has no version. */
const hasVersion = (data: object): boolean =>
  "version" in data && data.version !== null && data.version !== "";

/** The reasons for which a row was refused, from the error. */
export function rowProblems({ line, record, data }: ImportRow, error: AppError): RowProblem[] {
  const { errors, details } = error.refusal;
  const id = idOf(data);
  const at = (path: string, sentence: string) => ({ line, record, id, path, sentence });
  if (errors) {
    return Object.entries(errors).flatMap(([path, all]) => all.map((each) => at(path, each)));
  }
  const path = details?.["path"];
  return [at(typeof path === "string" ? path : "", error.message)];
}

export function idOf(data: unknown): string | null {
  const id = typeof data === "object" && data !== null && "id" in data ? data.id : null;
  return typeof id === "string" ? id : null;
}
