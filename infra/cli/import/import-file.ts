import type { ExportedPart } from "#shared/domain/export/export.ts";
import type { CatalogRecord, ContentRecord } from "#shared/domain/export/exported-records.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { retryOnConflict } from "#shared/storage/on-fresh.ts";
import { importMaterial, importProduct, importSofa } from "./catalog.ts";
import { importCategories } from "./categories.ts";
import { importPage, importStory } from "./documents.ts";
import {
  type ImportRecord,
  type ImportReport,
  type Importing,
  type RowProblem,
  problemsOf,
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

/** What can be read back. */
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
 * Brings the records of an export's file into a shop, each through the rules and writes that staff's own saves go
 * through. What says the same as the shop is left alone, so that it may be repeated; a record that is refused keeps no
 * other out. Nothing is deleted.
 *
 * @throws RangeError or SyntaxError where the file is no export of this type
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
  let areCategoriesIn = false;

  async function bringInCategories(): Promise<void> {
    areCategoriesIn = true;
    const [first] = categories;
    if (!first) return;
    await orProblems(first, problems, async () => {
      const found = await importCategories(categories, importing);
      for (const outcome of found.outcomes) outcomes[outcome]++;
      problems.push(...found.problems);
    });
  }

  for await (const row of readRows(file, type)) {
    if (type === "catalog" && row.record === "category") {
      if (areCategoriesIn) problems.push(misplaced(row));
      else categories.push(row);
      continue;
    }
    if (!areCategoriesIn) await bringInCategories();
    await orProblems(row, problems, async () => {
      const bringIn = Object.hasOwn(ofRecord, row.record) ? ofRecord[row.record] : undefined;
      if (!bringIn) throw invalidField("", `No ${type} has a record named "${row.record}".`);
      const outcome = await retryOnConflict(
        undefined,
        async () => undefined,
        () => bringIn(row.data, importing),
      );
      outcomes[outcome]++;
    });
  }
  if (!areCategoriesIn) await bringInCategories();
  return { outcomes, problems };
}

const misplaced = ({ line, record }: ImportRow): RowProblem => ({
  line,
  record,
  id: null,
  path: "",
  sentence: "Categories stand before everything else.",
});

async function orProblems(
  row: ImportRow,
  problems: RowProblem[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.push(...problemsOf(row, error));
  }
}
