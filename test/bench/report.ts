export type Cell = string | number | null;

/** One table of the report. */
export interface Section {
  readonly title: string;
  /** How to read the table. */
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** File name → SVG. */
  readonly pictures?: Readonly<Record<string, string>>;
}

export function markdown({ title, note, columns, rows }: Section): string {
  const line = (cells: readonly Cell[]) => `| ${cells.map(text).join(" | ")} |`;
  const rule = columns.map((_, column) =>
    rows.some((row) => typeof row[column] === "number") ? "--:" : "---",
  );
  return [`## ${title}`, "", note, "", line(columns), line(rule), ...rows.map(line), ""].join("\n");
}

function text(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "number" ? rounded(cell) : cell;
}

/** Three significant digits, and no more decimals than needed. */
function rounded(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}

/** From now on, whatever writes to stdout writes to stderr. Returns the writer to stdout. */
export function divertOutput(): (text: string) => void {
  const { stdout, stderr } = process;
  const print = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (text) => void print(text);
}
