import { existsSync, readFileSync } from "node:fs";
import type * as z from "zod";

/** The rows of a file with one JSON document per line; none if there is no such file. */
export function rowsOf<Row extends z.ZodType>(file: string, row: Row): z.infer<Row>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // An interrupted run may leave a line that has no end.
  return lines.slice(0, -1).map((line) => row.parse(JSON.parse(line)));
}

export const linesOf = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");
