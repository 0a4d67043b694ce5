import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import * as z from "zod";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openSettings } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { type ImportType, importFile } from "./import/import-file.ts";
import type { ImportReport, Importing } from "./import/importing.ts";
import { rehearsalOf } from "./import/rehearsal.ts";
import { runningEnvironment } from "../local/running-stack.ts";

const usage =
  "Usage: npm run import -- --type <content|catalog> --file <export.json|export.csv> [--apply] [--overwrite]";

/** In whose name it is done: the activity log shows it as nobody of staff. */
const actor = { id: "import" };

/**
 * Brings an export into a shop: first as a rehearsal that stores nothing, and then, if that finds nothing wrong, for
 * good.
 *
 * @param options.overwrite whether the file wins over what was changed since it was made
 */
export async function importInto(
  table: Table,
  type: ImportType,
  file: string,
  options: { apply: boolean; overwrite: boolean; now: Date },
): Promise<ImportReport> {
  const { store } = await openSettings(table).current();
  const importing: Importing = {
    table: rehearsalOf(table),
    audit: { actor, requestId: `import-${randomUUID()}`, now: options.now },
    currency: store.currency,
    hosts: [new URL(store.storefront_url).hostname, ...store.redirect_hosts],
    overwrite: options.overwrite,
  };
  const rehearsed = await importFile(file, type, importing);
  if (!options.apply || rehearsed.problems.length > 0) return rehearsed;
  return importFile(file, type, { ...importing, table });
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What became of an import, or would, in lines for a person. */
export function told({ outcomes, problems }: ImportReport, isApplied: boolean): string {
  const { created, updated, unchanged } = outcomes;
  const lines = problems.map(({ line, record, id, path, sentence }) =>
    [`line ${line}`, [record, id].filter(Boolean).join(" "), path, sentence]
      .filter(Boolean)
      .join(": "),
  );
  const sums = `${created} created, ${updated} updated, ${unchanged} unchanged`;
  if (problems.length > 0)
    return [...lines, `Nothing is stored: ${counted(problems.length, "error")}.`].join("\n");
  return isApplied ? `${sums}.` : `${sums}, if it is applied. Nothing is stored; add --apply.`;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      type: { type: "string" },
      file: { type: "string" },
      apply: { type: "boolean", default: false },
      overwrite: { type: "boolean", default: false },
    },
  });
  const given = z
    .object({ type: z.enum(["content", "catalog"]), file: z.string().min(1) })
    .safeParse(values);
  if (!given.success) throw new RangeError(usage);
  const environment = process.env["TABLE_NAME"] ? process.env : await runningEnvironment();
  if (!environment) {
    throw new RangeError("No stack runs here. For one in the cloud name its table in TABLE_NAME.");
  }
  const { TABLE_NAME: name, DYNAMODB_ENDPOINT: endpoint } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  const { type, file } = given.data;
  const { apply, overwrite } = values;
  const table = openTable({ name, endpoint });
  const report = await importInto(table, type, file, { apply, overwrite, now: new Date() });
  console.log(told(report, apply));
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
