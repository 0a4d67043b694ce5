import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import * as z from "zod";
import { armed, csvLines } from "#shared/domain/base/csv.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { type ExportedPart, exportVersion } from "#shared/domain/export/export.ts";
import { exportedRecords } from "#shared/domain/export/exported-records.ts";

/** A row of a file. `line` is the number of the row's first line. */
export interface ImportRow {
  readonly line: number;
  readonly record: string;
  readonly data: unknown;
}

const About = z.object({ type: z.string(), version: z.literal(exportVersion) });
const Row = z.object({ record: z.string(), data: z.unknown() });

/** Reads the rows of an exported file. Throws RangeError if the file is not an export of this type. */
export function readRows(file: string, type: ExportedPart): AsyncGenerator<ImportRow> {
  return file.endsWith(".csv") ? csvRows(file, type) : jsonRows(file, type);
}

const opening = '"records":[';

const Head = z.object({ exported_at: Timestamp });

/** The time of a JSON export, from its first line. Throws RangeError if the file was reformatted. */
export async function exportedAt(file: string): Promise<Date> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const text of lines) {
    lines.close();
    return new Date(Head.parse(parsed(`${text}]}`, 1)).exported_at);
  }
  throw new RangeError(`${file} is empty.`);
}

/** Reads line by line, because an export has one record per line. A file that was reformatted is read as a whole. */
async function* jsonRows(file: string, type: ExportedPart): AsyncGenerator<ImportRow> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let line = 0;
  for await (const text of lines) {
    line++;
    if (line === 1) {
      if (!text.endsWith(opening)) {
        lines.close();
        yield* wholeJson(file, type);
        return;
      }
      requireType(parsed(`${text}]}`, line), type);
    } else if (text === "]}") return;
    else if (text !== "") yield { line, ...rowOf(text.replace(/,$/, ""), line) };
  }
  throw new RangeError(`${file} ends before its last record.`);
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RangeError(`Line ${line} is not valid JSON.`, { cause: error });
  }
}

function rowOf(text: string, line: number): z.output<typeof Row> {
  const row = Row.safeParse(parsed(text, line));
  if (!row.success) throw new RangeError(`Line ${line} is not a record of an export.`);
  return row.data;
}

async function* wholeJson(file: string, type: ExportedPart): AsyncGenerator<ImportRow> {
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  requireType(document, type);
  const { records } = z.object({ records: z.array(Row) }).parse(document);
  for (const [position, row] of records.entries()) yield { line: position + 1, ...row };
}

function requireType(document: unknown, type: ExportedPart): void {
  const about = About.parse(document);
  if (about.type !== type)
    throw new RangeError(`The file is an export of ${about.type}, not ${type}.`);
}

async function* csvRows(file: string, type: ExportedPart): AsyncGenerator<ImportRow> {
  const lines = csvLines(await readFile(file, "utf8"));
  const columns: readonly string[] = lines.next().value?.cells ?? [];
  const schemas: Record<string, z.ZodObject> = exportedRecords[type];
  for (const { line, cells } of lines) {
    const cell = (name: string) => armed(cells[columns.indexOf(name)] ?? "");
    const record = cell("record");
    const shape = schemas[record]?.shape ?? {};
    const members = Object.entries(shape).map(([name, of]) => [name, valueOf(of, cell(name))]);
    yield { line, record, data: Object.fromEntries(members) as unknown };
  }
}

/** The value of a CSV cell, for a member of this schema. */
function valueOf(of: z.core.$ZodType, text: string): unknown {
  if (of instanceof z.ZodDefault) return valueOf(of.unwrap(), text);
  if (of instanceof z.ZodNullable) return text === "" ? null : valueOf(of.unwrap(), text);
  switch (of._zod.def.type) {
    case "string":
    case "enum":
      return text;
    default:
      return jsonOrText(text);
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
