import * as fc from "fast-check";
import { expect, test } from "vitest";
import { armed, byteOrderMark, csvLine, csvLines } from "#shared/domain/base/csv.ts";

const cellsOf = (text: string) => [...csvLines(text)].map(({ cells }) => cells.map(armed));

test("every CSV file that the service writes is read back unchanged", { tags: "slow" }, () => {
  const row = fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const text = byteOrderMark + rows.map(csvLine).join("");
      expect(cellsOf(text)).toEqual(rows);
    }),
  );
});

test("a CSV text that a spreadsheet would run as a formula is escaped", () => {
  const beginning = fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠");
  fc.assert(
    fc.property(beginning, fc.string(), (first, rest) => {
      expect(csvLine([first + rest])).toMatch(/^"?'/);
    }),
  );
});

test("in CSV, negative amounts are numbers, null is an empty cell, and lists are JSON", () => {
  expect(csvLine([-500, null, undefined, true, ["a", "b"]])).toBe(
    '-500,,,true,"[""a"",""b""]"\r\n',
  );
});

test("a CSV row is reported with its line number, even after a cell with line breaks", () => {
  const lines = [...csvLines('a,"b\r\nc"\r\n\r\nd,e')];
  expect(lines).toEqual([
    { line: 1, cells: ["a", "b\r\nc"] },
    { line: 4, cells: ["d", "e"] },
  ]);
});

test("an unclosed quote in CSV is refused with its line number", () => {
  expect(() => [...csvLines('a,b\r\n"c,d')]).toThrow("Line 2");
});
