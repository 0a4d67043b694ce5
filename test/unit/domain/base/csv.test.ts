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
    { examples: [[[["\t\u0000"]]], [[["a;b"], ["c"]]]] },
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

test("a formula after a semicolon or tab is escaped too, and escaping is undone exactly", () => {
  const [line = ""] = csvLine(["x;=cmd|1"]).split("\r\n");
  expect(line).toBe(`"x;'=cmd|1"`);
  expect(csvLine([["a;=b\t@c"]])).toBe(`"[""a;'=b\\t@c""]"\r\n`);
  expect(csvLine(["a;b, c;'d"])).toBe(`"a;b, c;''d"\r\n`);
  const signs = fc.constantFrom(...Array.from("=+-@';\t\r\n＝,a "));
  fc.assert(
    fc.property(fc.string({ unit: signs, minLength: 1, maxLength: 12 }), (text) => {
      const file = csvLine(["first", "second"]) + csvLine([text, "end"]);
      expect(cellsOf(file)[1]).toEqual([text, "end"]);
      const cells = csvLine([text]).replaceAll('"', "").split(/[;\t]/);
      expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([]);
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

test("the separator that a file names is used, even if its first line has another one more often", () => {
  const lines = [...csvLines("\ufeffsep=;\r\nName, long\r\n1,5;2\r\n")];
  expect(lines).toEqual([
    { line: 2, cells: ["Name, long"] },
    { line: 3, cells: ["1,5", "2"] },
  ]);
});

test("an unclosed quote in CSV is refused with its line number", () => {
  expect(() => [...csvLines('a,b\r\n"c,d')]).toThrow("Line 2");
});
