import type { ExportedPart } from "#shared/domain/export/export.ts";
import type * as z from "zod";
import {
  type CatalogRecord,
  type ContentRecord,
  exportedRecords,
} from "#shared/domain/export/exported-records.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { importMaterial, importProduct, importSofa } from "./catalog.ts";
import { importCategories } from "./categories.ts";
import { importPage, importStory } from "./documents.ts";
import {
  type ImportRecord,
  type ImportReport,
  type Importing,
  type RowProblem,
  idOf,
  rowProblems,
} from "./importing.ts";
import { type ImportRow, readRows } from "./read-rows.ts";
import {
  importAnnouncement,
  importFaqs,
  importHome,
  importMenus,
  importRedirects,
  importSofaLanding,
} from "./single-documents.ts";

/** Export types that can be imported. */
export type ImportType = Extract<ExportedPart, "content" | "catalog">;

const imports = {
  content: {
    story: importStory,
    page: importPage,
    home: importHome,
    faqs: importFaqs,
    sofa_landing: importSofaLanding,
    menus: importMenus,
    announcement: importAnnouncement,
    redirects: importRedirects,
  } satisfies Record<ContentRecord, ImportRecord>,
  catalog: {
    material: importMaterial,
    product: importProduct,
    sofa: importSofa,
  } satisfies Record<Exclude<CatalogRecord, "category">, ImportRecord>,
};

/**
 * Imports every record of an exported file. The rules and writes are the same as when staff save a record. Equal
 * records are skipped, so an import can be repeated. If a record is refused, the import continues with the next one.
 * Nothing is deleted.
 *
 * @throws RangeError or SyntaxError if the file is not an export of this type
 */
export async function importFile(
  file: string,
  type: ImportType,
  importing: Importing,
): Promise<ImportReport> {
  const outcomes = { created: 0, updated: 0, unchanged: 0 };
  const problems: RowProblem[] = [];
  const ofRecord: Record<string, ImportRecord> = imports[type];
  const categories: ImportRow[] = [];
  let areCategoriesImported = false;

  async function importTree(): Promise<void> {
    areCategoriesImported = true;
    const [first] = categories;
    if (!first) return;
    await collectProblems(first, problems, async () => {
      const importedTree = await importCategories(categories, importing);
      for (const outcome of importedTree.outcomes) outcomes[outcome]++;
      problems.push(...importedTree.problems);
    });
  }

  const lines = new Map<string, number>();
  for await (const row of readRows(file, type, importing)) {
    const name = nameOf(row, type);
    const earlier = name === undefined ? undefined : lines.get(name);
    if (earlier !== undefined) {
      problems.push(repeated(row, earlier));
      continue;
    }
    if (name !== undefined) lines.set(name, row.line);
    if (type === "catalog" && row.record === "category") {
      if (areCategoriesImported) problems.push(misplaced(row));
      else categories.push(row);
      continue;
    }
    if (!areCategoriesImported) await importTree();
    await collectProblems(row, problems, async () => {
      const importRecord = Object.hasOwn(ofRecord, row.record) ? ofRecord[row.record] : undefined;
      if (!importRecord)
        throw invalidField("", `An export of ${type} has no record type "${row.record}".`);
      const outcome = await retryOnConflict(
        undefined,
        async () => undefined,
        () => importRecord(row.data, importing),
      );
      outcomes[outcome]++;
    });
  }
  if (!areCategoriesImported) await importTree();
  return { outcomes, problems };
}

/** The name of a row's record in the file; undefined for a row without the id that its record type has. */
function nameOf({ record, data }: ImportRow, type: ImportType): string | undefined {
  const schemas: Record<string, z.ZodObject> = exportedRecords[type];
  const shape = Object.hasOwn(schemas, record) ? schemas[record]?.shape : undefined;
  if (!shape) return undefined;
  if (!("id" in shape)) return record;
  const id = idOf(data);
  return id ? `${record} ${id}` : undefined;
}

const repeated = ({ line, record, data }: ImportRow, earlier: number): RowProblem => ({
  line,
  record,
  id: idOf(data),
  path: "",
  sentence: `Lines ${earlier} and ${line} have the same record. Remove one of them.`,
});

const misplaced = ({ line, record }: ImportRow): RowProblem => ({
  line,
  record,
  id: null,
  path: "",
  sentence: "Categories must come before all other records.",
});

async function collectProblems(
  row: ImportRow,
  problems: RowProblem[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.push(...rowProblems(row, error));
  }
}
