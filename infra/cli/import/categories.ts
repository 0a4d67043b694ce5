import { isDeepStrictEqual } from "node:util";
import { checkCategories, withVersions } from "#shared/domain/catalog/category.ts";
import { sanitiseHtml } from "#shared/domain/base/html.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import { CategoryTree, CategoryUses } from "#shared/storage/catalog/catalog.ts";
import { either, is, isNew } from "#shared/storage/conditions.ts";
import { check } from "#shared/storage/writes.ts";
import { importedRows } from "./imported-rows.ts";
import {
  type Importing,
  type Outcome,
  type RowProblem,
  completed,
  idOf,
  requireNotNewer,
  rowProblems,
} from "./importing.ts";
import type { ImportRow } from "./read-rows.ts";

/**
 * Maximum number of activity records in the transaction that stores the tree. Further records are stored after that
 * transaction.
 */
const recordsAtOnce = 50;

/** Imports all categories of a file together: they form a tree, which is one record. */
export async function importCategories(
  rows: readonly ImportRow[],
  importing: Importing,
): Promise<{ outcomes: Outcome[]; problems: RowProblem[] }> {
  const { table, audit } = importing;
  const tree = await table.get(CategoryTree, {});
  const before = new Map((tree?.categories ?? []).map((category) => [category.id, category]));
  const merged = new Map(before);
  const problems: RowProblem[] = [];
  const rowOf = new Map<string, ImportRow>();
  for (const row of rows) {
    try {
      const known = before.get(idOf(row.data) ?? "");
      const { version: theirs, ...sent } = parsed(
        importedRows.catalog.category,
        completed(row.data, known, importing),
      );
      if (known && known.kind !== sent.kind) {
        throw invalidField("kind", "The kind of a category cannot change.");
      }
      const version = known?.version ?? 1;
      const same = { ...sent, version };
      const description_html = sanitiseHtml(sent.description_html);
      const category = isDeepStrictEqual(known, same) ? same : { ...same, description_html };
      if (known && !isDeepStrictEqual(known, category)) {
        requireNotNewer(known, { version: theirs }, importing);
      }
      merged.set(sent.id, category);
      rowOf.set(sent.id, row);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(...rowProblems(row, error));
    }
  }
  const after = withVersions(tree?.categories ?? [], [...merged.values()]);
  for (const { path, message } of checkCategories(after)) {
    const [, number = "", ...member] = path.split(".");
    const row = rowOf.get(after[Number(number)]?.id ?? "") ?? rows[0];
    if (row) problems.push(...rowProblems(row, invalidField(member.join("."), message)));
  }
  if (problems.length > 0) return { outcomes: [], problems };

  const changed = after.filter((each) => !isDeepStrictEqual(before.get(each.id), each));
  if (changed.length > 0) {
    const activities = changed.map((category) => {
      const { id, name } = category;
      const old = before.get(id);
      const action = old ? "category.update" : "category.create";
      return recordActivity(
        audit,
        action,
        { kind: "category", id, label: name },
        {
          before: old,
          after: category,
        },
      );
    });
    // A category whose slug changes must be unused, because records refer to it by slug.
    const moved = changed.filter(({ id, slug }) => (before.get(id)?.slug ?? slug) !== slug);
    await table.transact([
      ...putCategories(after, tree?.version ?? 0),
      ...moved.map(({ id, slug }) => ({
        write: check(CategoryUses, { id }, either(isNew, is("uses", 0))),
        refused: () =>
          new AppError("in_use", {
            message: `Records still refer to the category that would be renamed to ${slug}.`,
          }),
      })),
      ...activities.slice(0, recordsAtOnce),
    ]);
    for (const write of activities.slice(recordsAtOnce)) await table.write(write);
  }
  const isChanged = new Set(changed.map(({ id }) => id));
  return {
    outcomes: [...rowOf.keys()].map((id) =>
      isChanged.has(id) ? (before.has(id) ? "updated" : "created") : "unchanged",
    ),
    problems,
  };
}
