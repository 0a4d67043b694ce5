import { type Material, publishMaterial } from "#shared/domain/catalog/material.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { Saving } from "#shared/application/saving.ts";
import { requireUnused } from "#shared/application/require-references.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import {
  checkPublished,
  claimSlug,
  freeOrOwn,
  freeSlug,
  removePublished,
} from "#shared/storage/catalog/catalog-edits.ts";
import { PublishedMaterials, Materials, Stocks } from "#shared/storage/catalog/catalog.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { type TransactionWrite, put, remove } from "#shared/storage/writes.ts";
import { actionOn } from "#shared/application/catalog/action-on.ts";
import {
  type SkuRequest,
  type StockWrites,
  stockWrites,
} from "#shared/application/catalog/stock-claims.ts";

/**
 * Stores a material in one transaction with its published copy, its code, the SKU of its sample and the activity
 * record.
 *
 * @param before undefined for a new material
 * @param after undefined to delete it permanently
 * @throws AppError `already_exists`, `in_use`; Refused on a conflict
 */
export async function saveMaterial(
  before: Material | undefined,
  after: Material | undefined,
  { table, audit, further = [] }: Saving,
): Promise<void> {
  const material = after ?? before;
  if (!material) return;
  const { id, code, name } = material;
  const skus = { before: skusOf(before), after: skusOf(after) };
  const isSkuKept = before && after && before.swatch.sku === after.swatch.sku;
  const stock = isSkuKept ? undefined : await table.get(Stocks, { id: code });
  const rows = byName([stock], (row) => row.id);
  const owner = { kind: "swatch" as const, id, slug: code };
  const { added, others }: StockWrites = isSkuKept
    ? { added: [], others: [] }
    : stockWrites(owner, skus, rows, audit.now);
  const leaves = before && before.status !== "archived" && after?.status !== before.status;
  const unused =
    leaves && after?.status !== "published"
      ? await requireUnused(table, { kind: "material", id: code })
      : [];
  const target = { kind: "material", id, label: name };
  const action = actionOn("material", before, after);
  await table.transact([
    ...further,
    ...unused,
    ...(after ? storing(before, after) : removing(before)),
    ...others,
    ...added.map((row) => put(Stocks, row, isNew)),
    recordActivity(audit, action, target, { before, after }),
  ]);
}

/** The SKU of the sample. Its stock is that of the material's code, which never changes. */
const skusOf = (material: Material | undefined): SkuRequest[] =>
  material && material.swatch.sku !== null
    ? [{ sku: material.swatch.sku, stock_id: material.code, path: "swatch.sku" }]
    : [];

function storing(before: Material | undefined, after: Material): TransactionWrite[] {
  const { id, code } = after;
  const refused = () =>
    new AppError("already_exists", {
      message: "Another material already has this code.",
      details: { path: "code", code },
    });
  const copy: TransactionWrite[] =
    after.status === "published"
      ? [{ write: put(PublishedMaterials, publishMaterial(after), freeOrOwn(id)), refused }]
      : before?.status === "published"
        ? [removePublished("material", code)]
        : [{ write: checkPublished("material", code, id), refused }];
  return [
    put(Materials, after, before ? is("version", before.version) : isNew),
    { write: claimSlug("material", code, id), refused },
    ...copy,
  ];
}

function removing(before: Material | undefined): TransactionWrite[] {
  if (!before) return [];
  return [
    remove(Materials, { id: before.id }, is("version", before.version)),
    freeSlug("material", before.code),
  ];
}
