import { byteOrderMark, csvLine } from "#shared/domain/base/csv.ts";
import {
  type ExportFormat,
  type ExportRow,
  type ExportedPart,
  exportVersion,
} from "#shared/domain/export/export.ts";
import { exportTables } from "#shared/domain/export/export-tables.ts";

/** Builds the text of a file: first `head`, then each row, then `foot`. */
export interface FileText {
  readonly contentType: string;
  readonly head: string;
  readonly foot: string;
  /** @param isFirst whether the row is the first of the file */
  row(row: ExportRow, isFirst: boolean): string;
}

export function fileText(part: ExportedPart, format: ExportFormat, exportedAt: string): FileText {
  return format === "json" ? jsonText(part, exportedAt) : csvText(part);
}

/**
 * One JSON document that can also be read line by line: each record is one line, between a first line with the export's
 * type and a last line that closes the document.
 */
function jsonText(part: ExportedPart, exported_at: string): FileText {
  const about = JSON.stringify({ type: part, version: exportVersion, exported_at });
  return {
    contentType: "application/json",
    head: `${about.slice(0, -1)},"records":[`,
    row: (row, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(row)}`,
    foot: "\n]}\n",
  };
}

function csvText(part: ExportedPart): FileText {
  const table = exportTables[part];
  return {
    contentType: "text/csv; charset=utf-8",
    head: byteOrderMark + csvLine(table.columns),
    row: (row) => table.lines(row).map(csvLine).join(""),
    foot: "",
  };
}
