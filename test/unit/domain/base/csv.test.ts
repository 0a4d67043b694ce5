import * as fc from "fast-check";
import { expect, test } from "vitest";
import { armed, byteOrderMark, csvLine, csvLines } from "#shared/domain/base/csv.ts";

const cellsOf = (text: string) => [...csvLines(text)].map(({ cells }) => cells.map(armed));

test("what is written is read back, whatever it holds", () => {
  const row = fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const text = byteOrderMark + rows.map(csvLine).join("");
      expect(cellsOf(text)).toEqual(rows);
    }),
  );
});

test("no text begins as a formula does", () => {
  const beginning = fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠");
  fc.assert(
    fc.property(beginning, fc.string(), (first, rest) => {
      expect(csvLine([first + rest])).toMatch(/^"?'/);
    }),
  );
});

test("amounts below nothing stay numbers, nothing stays empty, and lists are JSON", () => {
  expect(csvLine([-500, null, undefined, true, ["a", "b"]])).toBe(
    '-500,,,true,"[""a"",""b""]"\r\n',
  );
});

test("a line knows where it stands, also behind a cell of several lines", () => {
  const lines = [...csvLines('a,"b\r\nc"\r\n\r\nd,e')];
  expect(lines).toEqual([
    { line: 1, cells: ["a", "b\r\nc"] },
    { line: 4, cells: ["d", "e"] },
  ]);
});

test("a quote that nobody closes is refused with its line", () => {
  expect(() => [...csvLines('a,b\r\n"c,d')]).toThrow("Line 2");
});
