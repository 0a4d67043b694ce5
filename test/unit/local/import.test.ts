import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { reportText } from "#infra/cli/import.ts";
import { importFile } from "#infra/cli/import/import-file.ts";
import type { Importing } from "#infra/cli/import/importing.ts";
import { readRows } from "#infra/cli/import/read-rows.ts";

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
