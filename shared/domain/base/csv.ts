/** The value of a cell; null and undefined are the empty cell. */
export type CellValue = string | number | boolean | object | null | undefined;

/** Spreadsheets read a file that starts with this mark as UTF-8. */
export const byteOrderMark = "\u{feff}";

/**
 * Matches the places of a text at which a spreadsheet would begin to read a formula: its start, and after a semicolon or
 * tab, which separate cells where the comma is the decimal sign, even in quotes. An apostrophe goes there; also where
 * there is one, so that removing one at each such place always restores the text.
 */
const formulas = /^(?=[=+\-@\t\r\n'＝＋－＠])|(?<=[;\t])(?=[=+\-@'＝＋－＠])/g;
const defused = /^'(?=[=+\-@\t\r\n'＝＋－＠])|(?<=[;\t])'(?=[=+\-@'＝＋－＠])/g;

/** A line of CSV, with its line break. */
export const csvLine = (cells: readonly CellValue[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(value: CellValue): string {
  switch (typeof value) {
    case "string":
      return textCell(value);
    case "number":
    case "boolean":
      return String(value);
    default:
      return value ? textCell(JSON.stringify(value)) : "";
  }
}

const textCell = (text: string): string => quoted(text.replaceAll(formulas, "'"));

const quoted = (text: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Restores the original text of an escaped cell. */
export const armed = (text: string): string => text.replaceAll(defused, "");

/** What spreadsheets write between cells: a comma, or a semicolon where the comma is the decimal sign, or a tab. */
const separators = [",", ";", "\t"] as const;
type Separator = (typeof separators)[number];

const pattern = (separator: Separator) =>
  new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, "y");

/** The separator that divides the first line into the most cells, apart from those in quotes. */
function separatorOf(text: string): Separator {
  const [line = ""] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text) ?? [];
  const head = line.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counted = separators.map((separator) => ({
    separator,
    cells: head.split(separator).length,
  }));
  return counted.reduce((best, next) => (next.cells > best.cells ? next : best)).separator;
}

/** The line with which Excel names the separator of a file. */
const separatorLine = /^\ufeff?sep=([,;\t])(?:\r\n|\n|\r)/;

/**
 * Parses a CSV file whose cells are separated by commas, semicolons or tabs, as its `sep=` line says or else as divides
 * its first line into the most cells. Blank lines are left out. `line` is the number, from 1, of the text line on which
 * the cells begin: a quoted cell may contain line breaks. Throws RangeError on an unclosed quote.
 */
export function* csvLines(text: string): Generator<{ line: number; cells: string[] }> {
  const [named, separator] = separatorLine.exec(text) ?? [];
  const cell = pattern((separator as Separator | undefined) ?? separatorOf(text));
  cell.lastIndex = named?.length ?? (text.startsWith(byteOrderMark) ? 1 : 0);
  let line = named === undefined ? 1 : 2;
  let [start, cells]: [number, string[]] = [line, []];
  while (cell.lastIndex < text.length || cells.length > 0) {
    const match = cell.exec(text);
    if (!match) throw new RangeError(`Line ${line} is not CSV.`);
    const [whole, inQuotes, plain = "", end] = match;
    cells.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'));
    line += whole.split(/\r\n|\n|\r/).length - 1;
    if (separators.some((separator) => separator === end)) continue;
    if (cells.some((each) => each.trim() !== "")) yield { line: start, cells };
    [start, cells] = [line, []];
    if (end === "") return;
  }
}
