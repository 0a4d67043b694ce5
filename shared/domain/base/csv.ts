/** What a cell may hold; null and nothing are the empty cell. */
export type CellValue = string | number | boolean | object | null | undefined;

/** Spreadsheets take UTF-8 for what it is when a file begins with this. */
export const byteOrderMark = "\u{feff}";

/**
 * What spreadsheets run as a formula begins with one of the first of these; a text that begins with the apostrophe
 * itself gets one more, so that taking it off again gives what was there.
 */
const defused = /^[=+\-@\t\r\n'＝＋－＠]/;

/** One line, its end included. */
export const csvLine = (cells: readonly CellValue[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(value: CellValue): string {
  switch (typeof value) {
    case "string":
      return quoted(defused.test(value) ? `'${value}` : value);
    case "number":
    case "boolean":
      return String(value);
    default:
      return value ? quoted(JSON.stringify(value)) : "";
  }
}

const quoted = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The text of a cell that was defused. */
export const armed = (text: string): string =>
  text.startsWith("'") && defused.test(text.slice(1)) ? text.slice(1) : text;

/** The lines of a file, each with the number of the line of text it begins on, from 1. Throws RangeError on an open quote. */
export function* csvLines(text: string): Generator<{ line: number; cells: string[] }> {
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  pattern.lastIndex = text.startsWith(byteOrderMark) ? 1 : 0;
  let line = 1;
  let [start, cells]: [number, string[]] = [line, []];
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const match = pattern.exec(text);
    if (!match) throw new RangeError(`Line ${line} is not CSV.`);
    const [whole, inQuotes, plain = "", end] = match;
    cells.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'));
    line += whole.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.length > 1 || cells[0] !== "") yield { line: start, cells };
    [start, cells] = [line, []];
    if (end === "") return;
  }
}
