import { AppError } from "#shared/domain/request/app-error.ts";
import type { AuditContext } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import type { ImportRow } from "./read-rows.ts";

/** What rows are brought into the shop with. */
export interface Importing {
  readonly table: Table;
  readonly audit: AuditContext;
  /** The shop's. */
  readonly currency: string;
  /** Hosts that redirects may lead to. */
  readonly hosts: readonly string[];
  /** Whether the file wins over what was changed since it was made. */
  readonly overwrite: boolean;
}

export type Outcome = "created" | "updated" | "unchanged";

/** Brings one record into the shop. Throws AppError with what is wrong with it. */
export type ImportRecord = (data: unknown, importing: Importing) => Promise<Outcome>;

/** Something that keeps a row out. */
export interface RowProblem {
  readonly line: number;
  readonly record: string;
  readonly id: string | null;
  /** Dotted, within the record; empty: the record as a whole. */
  readonly path: string;
  readonly sentence: string;
}

export interface ImportReport {
  readonly outcomes: Record<Outcome, number>;
  readonly problems: readonly RowProblem[];
}

/** @throws AppError `version_mismatch` where the shop has something newer than the file */
export function requireNotNewer(
  before: { version: number },
  sent: { version: number },
  { overwrite }: Importing,
): void {
  if (overwrite || before.version <= sent.version) return;
  throw new AppError("version_mismatch", {
    message: `It was changed since the export: the shop has version ${before.version}, the file ${sent.version}.`,
    details: { path: "version" },
  });
}

/** What a refusal says of a row. */
export function problemsOf({ line, record, data }: ImportRow, error: AppError): RowProblem[] {
  const { errors, details } = error.refusal;
  const id = idOf(data);
  const at = (path: string, sentence: string) => ({ line, record, id, path, sentence });
  if (errors) {
    return Object.entries(errors).flatMap(([path, all]) => all.map((each) => at(path, each)));
  }
  const path = details?.["path"];
  return [at(typeof path === "string" ? path : "", error.message)];
}

function idOf(data: unknown): string | null {
  const id = typeof data === "object" && data !== null && "id" in data ? data.id : null;
  return typeof id === "string" ? id : null;
}
