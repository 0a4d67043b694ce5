import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { reportText } from "#infra/cli/import.ts";
import { importFile } from "#infra/cli/import/import-file.ts";
import type { Importing } from "#infra/cli/import/importing.ts";
import { exportTables } from "#shared/domain/export/export-tables.ts";
import { type ImportRow, readRows } from "#infra/cli/import/read-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "import-rows-"));
afterAll(() => rmSync(folder, { recursive: true }));

const opening =
  '{"type":"catalog","version":1,"exported_at":"2026-11-21T09:00:00.000Z","records":[';

test.each([
  ["is cut off", '{"record":"category","data":{"id":"cat', "Line 2 is not valid JSON."],
  ["is not a record", '{"data":{}}\n]}', "Line 2 is not a record of an export."],
])(
  "an import file whose second line %s is refused with the line number",
  async (_what, rest, sentence) => {
    const file = join(folder, "catalog.json");
    writeFileSync(file, `${opening}\n${rest}`);
    await expect(readRows(file, "catalog").next()).rejects.toThrow(new RangeError(sentence));
  },
);

test.each([
  [1, "Nothing was imported: 1 error."],
  [2, "Nothing was imported: 2 errors."],
])("an import whose number of errors is %i ends with: %s", (count, ending) => {
  const problem = { line: 2, record: "product", id: null, path: "name", sentence: "It is empty." };
  const problems = Array.from({ length: count }, () => problem);
  const outcomes = { created: 0, updated: 0, unchanged: 0 };
  expect(reportText({ outcomes, problems }, true).split("\n")).toEqual([
    ...problems.map(() => "line 2: product: name: It is empty."),
    ending,
  ]);
});

test("a record type named like an object property is refused like any unknown type", async () => {
  const file = join(folder, "names.json");
  writeFileSync(file, `${opening}\n{"record":"toString","data":{}}\n]}`);
  const { outcomes, problems } = await importFile(file, "catalog", {} as Importing);
  expect(outcomes).toEqual({ created: 0, updated: 0, unchanged: 0 });
  expect(problems).toMatchObject([
    { line: 2, sentence: 'An export of catalog has no record type "toString".' },
  ]);
});

const columns = exportTables.catalog.columns;

/** The lines of a CSV export with these cells, by column. */
const csvOf = (rows: readonly Record<string, string>[], head = columns, separator = ",") =>
  [head, ...rows.map((row) => head.map((name) => row[name] ?? ""))]
    .map((cells) => cells.join(separator))
    .join("\r\n");
const category = { record: "category", id: "cat_1", kind: "category", name: "Café", slug: "cafe" };

async function rowsOf(content: string | Buffer, options = {}, name = "catalog.csv") {
  const file = join(folder, name);
  writeFileSync(file, content);
  const rows: ImportRow[] = [];
  for await (const row of readRows(file, "catalog", options)) rows.push(row);
  return rows;
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

test.each<[string, string | Buffer]>([
  ["UTF-8", csvOf([category])],
  ["UTF-8 with a byte order mark", `\ufeff${csvOf([category])}`],
  ["semicolons", csvOf([category], columns, ";")],
  ["tabs", csvOf([category], columns, "\t")],
  ["a line that names the separator", `sep=;\r\n${csvOf([category], columns, ";")}`],
  ["blank rows", csvOf([{}, category, {}, {}])],
  ["spaces around column names", csvOf([category]).replace("record,", " record ,")],
  ["lines of an old Mac", csvOf([category]).replaceAll("\r\n", "\r")],
])("a CSV file with %s is read", async (_what, content) => {
  const rows = await rowsOf(content);
  expect(rows).toMatchObject([{ record: "category", data: { id: "cat_1", name: "Café" } }]);
});

test.each<[string, string | Buffer, string]>([
  ["Windows-1252", Buffer.from(csvOf([{}, category]), "latin1"), "not UTF-8: see line 3"],
  ["UTF-16", utf16(csvOf([category])), "is UTF-16"],
  ["big-endian UTF-16", utf16(csvOf([category])).swap16(), "is UTF-16"],
  ["UTF-16 without a mark", utf16(csvOf([category])).subarray(2), "is UTF-16"],
  [
    "a removed column",
    csvOf(
      [category],
      columns.filter((name) => name !== "brand" && name !== "parent_slug"),
    ),
    'lacks columns: "brand"',
  ],
  ["an unknown column", csvOf([category], [...columns, "margin"]), 'does not have: "margin"'],
  ["a column twice", csvOf([category], [...columns, "name"]), 'columns twice: "name"'],
  ["a cell beyond the columns", `${csvOf([category])},x`, "Line 2 has more cells"],
])("a CSV file with %s is refused with the reason", async (_what, content, reason) => {
  await expect(rowsOf(content)).rejects.toThrow(reason);
});

test("a JSON file that is not UTF-8 is refused, too", async () => {
  const row = JSON.stringify({ record: "category", data: category });
  const file = Buffer.from(`${opening}\n${row}\n]}`, "latin1");
  await expect(rowsOf(file, {}, "latin.json")).rejects.toThrow("not UTF-8: see line 2");
});

test("a partial file lacks the members without a column, but neither knows others nor does without ids", async () => {
  const head = ["record", "id", "name"];
  expect(await rowsOf(csvOf([category], head), { partial: true })).toEqual([
    { line: 2, record: "category", data: { id: "cat_1", name: "Café" } },
  ]);
  await expect(rowsOf(csvOf([category], ["record", "name"]), { partial: true })).rejects.toThrow(
    'lacks columns: "id"',
  );
  const unknown = rowsOf(csvOf([category], [...head, "margin"]), { partial: true });
  await expect(unknown).rejects.toThrow('"margin"');
});

test("TRUE and FALSE are read as spreadsheets write them", async () => {
  const cells = { record: "product", id: "prd_1", cod_eligible: "TRUE" };
  expect(await rowsOf(csvOf([cells]))).toMatchObject([{ data: { cod_eligible: true } }]);
  expect(await rowsOf(csvOf([{ ...cells, cod_eligible: "False" }]))).toMatchObject([
    { data: { cod_eligible: false } },
  ]);
});
