import type { Shop } from "#shared/application/shop.ts";
import { previewRoutes } from "#functions/preview-route.ts";
import type { Category } from "#shared/domain/catalog/category.ts";
import type { Sellable } from "#shared/domain/catalog/product.ts";
import type { Publication } from "#shared/domain/catalog/publish.ts";
import { sellableTimeProblems } from "#shared/domain/catalog/sellable-times.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { CategoryTree } from "#shared/storage/catalog/catalog.ts";
import type { Table } from "#shared/storage/table.ts";

/** The permissions that the routes of products, sofas and materials require. */
export const catalogPermissions = {
  view: "catalog.view",
  edit: "catalog.edit",
  delete: "catalog.delete",
} as const;

/** Description of the DELETE routes of publishable records. */
export const archives = "Archives the record if it was ever published; otherwise deletes it.";

/**
 * Checks the `publish_at` and `unpublish_at` that an edit sets.
 *
 * @throws AppError `validation_failed`
 */
export function requireSellableTimes(
  before: Sellable | undefined,
  after: Sellable,
  now: Date,
): void {
  const problems = sellableTimeProblems(before, after, now);
  if (problems.length > 0) throw invalidFields(problems);
}

/** The routes of preview links of products or sofas. */
export const sellablePreviews = <Record extends Sellable>(kind: {
  readonly kind: "product" | "sofa";
  read(id: string, table: Table): Promise<Record | undefined>;
  publish(record: Record, categories: readonly Category[], now: Date): Publication<unknown>;
}) =>
  previewRoutes<Shop<"table" | "randomBytes">, Record>({
    path: `/admin/${kind.kind}s`,
    one: `a ${kind.kind}`,
    permission: "catalog.edit",
    read: (id, { table }) => kind.read(id, table),
    named: ({ id, name }) => ({ kind: kind.kind, id, label: name }),
    async slug(record, { table }, now) {
      const tree = await table.get(CategoryTree, {});
      const publication = kind.publish(record, tree?.categories ?? [], now);
      if (!publication.ok) throw invalidFields(publication.problems);
      return record.slug;
    },
  });
