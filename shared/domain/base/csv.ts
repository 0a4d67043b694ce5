/** The value of a cell; null and undefined are the empty cell. */
export type CellValue = string | number | boolean | object | null | undefined;

/** Spreadsheets read a file that starts with this mark as UTF-8. */
export const byteOrderMark = "\u{feff}";

/**
 * Matches a text that spreadsheets would read as a formula, or that starts with an apostrophe. Such a text gets an
 * apostrophe in front, so that removing one apostrophe always restores the original.
 */
const defused = /^[=+\-@\t\r\n'＝＋－＠]/;

/** A line of CSV, with its line break. */
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

/** Restores the original text of an escaped cell. */
export const armed = (text: string): string =>
  text.startsWith("'") && defused.test(text.slice(1)) ? text.slice(1) : text;

/**
 * Parses a CSV file. `line` is the number, from 1, of the text line on which the cells begin: a quoted cell may contain
 * line breaks. Throws RangeError on an unclosed quote.
 */
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
