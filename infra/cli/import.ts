import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import * as z from "zod";
import { table as openTable } from "#functions/connect/table.ts";
import { openSettings } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ImportType, importFile } from "./import/import-file.ts";
import type { ImportReport, Importing } from "./import/importing.ts";
import { rehearsalOf } from "./import/rehearsal.ts";
import { runningEnvironment } from "../local/running-stack.ts";

const usage =
  "Usage: npm run import -- --type <content|catalog> --file <export.json|export.csv> [--apply] [--overwrite] [--partial]";

/** The actor that the activity log names for an import. It is not a staff user. */
const actor = { id: "import" };

/**
 * Imports an exported file. A rehearsal runs first and stores nothing; the import runs only if the rehearsal finds no
 * error.
 *
 * @param options.apply false: rehearse only
 * @param options.overwrite whether the file replaces records that were changed after the export
 * @param options.partial whether a CSV file of the catalog may lack columns, whose members stay as they are
 */
export async function importInto(
  table: Table,
  type: ImportType,
  file: string,
  options: { apply: boolean; overwrite: boolean; partial?: boolean; now: Date },
): Promise<ImportReport> {
  const { store } = await openSettings(table).current();
  const importing: Importing = {
    table: rehearsalOf(table),
    audit: { actor, requestId: `import-${randomUUID()}`, now: options.now },
    currency: store.currency,
    hosts: [new URL(store.storefront_url).hostname, ...store.redirect_hosts],
    overwrite: options.overwrite,
    partial: options.partial ?? false,
  };
  const rehearsed = await importFile(file, type, importing);
  if (!options.apply || rehearsed.problems.length > 0) return rehearsed;
  return importFile(file, type, { ...importing, table });
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The report of an import or a rehearsal, as text for the operator. */
export function reportText({ outcomes, problems }: ImportReport, isApplied: boolean): string {
  const { created, updated, unchanged } = outcomes;
  const lines = problems.map(({ line, record, id, path, sentence }) =>
    [`line ${line}`, [record, id].filter(Boolean).join(" "), path, sentence]
      .filter(Boolean)
      .join(": "),
  );
  const sums = `${created} created, ${updated} updated, ${unchanged} unchanged`;
  if (problems.length > 0)
    return [...lines, `Nothing was imported: ${counted(problems.length, "error")}.`].join("\n");
  return isApplied ? `${sums}.` : `Would be: ${sums}. Nothing was imported yet; add --apply.`;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      type: { type: "string" },
      file: { type: "string" },
      apply: { type: "boolean", default: false },
      overwrite: { type: "boolean", default: false },
      partial: { type: "boolean", default: false },
    },
  });
  const input = z
    .object({ type: z.enum(["content", "catalog"]), file: z.string().min(1) })
    .safeParse(values);
  if (!input.success) throw new RangeError(usage);
  const environment = process.env["TABLE_NAME"] ? process.env : await runningEnvironment();
  if (!environment) {
    throw new RangeError(
      "No local stack is running. For a deployed stack, set TABLE_NAME to the name of its table.",
    );
  }
  const { type, file } = input.data;
  const { apply, overwrite, partial } = values;
  if (partial && type !== "catalog") throw new RangeError("--partial needs --type catalog.");
  const table = openTable(environment, {});
  const report = await importInto(table, type, file, {
    apply,
    overwrite,
    partial,
    now: new Date(),
  });
  console.log(reportText(report, apply));
  if (report.problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem);
    process.exitCode = 1;
  }
}
