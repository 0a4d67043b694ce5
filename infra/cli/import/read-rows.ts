import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import * as z from "zod";
import { armed, csvLines } from "#shared/domain/base/csv.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { exportTables } from "#shared/domain/export/export-tables.ts";
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

/**
 * Reads the rows of an exported file.
 *
 * @param options.partial whether a CSV file may lack columns; rows then lack their members
 * @throws RangeError if the file is not an export of this type, is not UTF-8, or has other columns
 */
export async function* readRows(
  file: string,
  type: ExportedPart,
  { partial = false }: { readonly partial?: boolean } = {},
): AsyncGenerator<ImportRow> {
  await requireUtf8(file);
  yield* file.endsWith(".csv") ? csvRows(file, type, partial) : jsonRows(file, type);
}

const saveAs = 'Save it as "CSV UTF-8" and import that file.';

/** Refuses other encodings: what they say would be stored as replacement characters. */
async function requireUtf8(file: string): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let isFirst = true;
  for await (const chunk of createReadStream(file)) {
    // Without an encoding, a stream's chunks are buffers.
    const bytes = chunk as Buffer;
    const isUtf16 = isFirst && /^(?:fffe|feff|00..|..00)/.test(bytes.toString("hex", 0, 2));
    if (isUtf16) throw new RangeError(`${file} is UTF-16. ${saveAs}`);
    isFirst = false;
    try {
      decoder.decode(bytes, { stream: true });
    } catch (cause) {
      line += lineOfFault(bytes);
      throw new RangeError(`${file} is not UTF-8: see line ${line}. ${saveAs}`, { cause });
    }
    line += linesIn(bytes);
  }
}

const linesIn = (bytes: Buffer): number => bytes.toString("latin1").split("\n").length - 1;

/** How many line ends come before the first byte that is not UTF-8. */
function lineOfFault(bytes: Buffer): number {
  const [valid = ""] = bytes.toString("utf8").split("\ufffd", 1);
  return valid.split("\n").length - 1;
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

async function* csvRows(
  file: string,
  type: ExportedPart,
  partial: boolean,
): AsyncGenerator<ImportRow> {
  const lines = csvLines(await readFile(file, "utf8"));
  const head = lines.next();
  const columns = head.done ? [] : head.value.cells.map((name) => name.trim());
  requireColumns(columns, type, partial);
  const schemas: Record<string, z.ZodObject> = exportedRecords[type];
  for (const { line, cells } of lines) {
    if (cells.slice(columns.length).some((text) => text.trim() !== "")) {
      throw new RangeError(`Line ${line} has more cells than the first line has columns.`);
    }
    const cell = (name: string) => armed(cells[columns.indexOf(name)] ?? "");
    const record = cell("record");
    const shape = schemas[record]?.shape ?? {};
    const members = Object.entries(shape)
      .filter(([name]) => columns.includes(name))
      .map(([name, of]) => [name, valueOf(of, cell(name))]);
    yield { line, record, data: Object.fromEntries(members) as unknown };
  }
}

/** Refuses columns that are missing, unknown or repeated: a missing one would clear its member in every record. */
function requireColumns(columns: readonly string[], type: ExportedPart, partial: boolean): void {
  const known = exportTables[type].columns;
  const refuse = (what: string, names: readonly string[], hint = "") => {
    const named = [...new Set(names)].map((name) => `"${name}"`).join(", ");
    if (names.length > 0) throw new RangeError(`The file ${what}: ${named}.${hint}`);
  };
  const needed = partial ? ["record", "id"] : known;
  const hint = partial ? "" : " Pass --partial to leave their members as they are.";
  refuse(
    "has columns that an export of this type does not have",
    columns.filter((name) => !known.includes(name)),
  );
  refuse(
    "has columns twice",
    columns.filter((name, at) => columns.indexOf(name) < at),
  );
  refuse(
    "lacks columns",
    needed.filter((name) => !columns.includes(name)),
    hint,
  );
}

/** The value of a CSV cell, for a member of this schema. */
function valueOf(of: z.core.$ZodType, text: string): unknown {
  if (of instanceof z.ZodDefault) return valueOf(of.unwrap(), text);
  if (of instanceof z.ZodNullable) return text === "" ? null : valueOf(of.unwrap(), text);
  switch (of._zod.def.type) {
    case "string":
    case "enum":
      return text;
    case "boolean":
      // Spreadsheets write TRUE and FALSE.
      return jsonOrText(text.toLowerCase());
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
