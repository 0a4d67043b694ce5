import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import { checkCoupon, newlyNamed } from "#shared/domain/pricing/admin-coupon.ts";
import { AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { requireCategoriesVersion } from "#shared/storage/catalog/catalog-edits.ts";
import { CategoryTree, Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { deleteCoupon, saveCoupon } from "#shared/storage/pricing/coupon-edits.ts";
import { searchOrders } from "#shared/storage/order/order-lists.ts";
import {
  ReferenceEpochs,
  mostUsers,
  guardNoRemovalSince,
} from "#shared/storage/catalog/references.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

const targetOf = ({ id, code }: Coupon) => ({ kind: "coupon", id, label: code });

/**
 * Stores a coupon with its activity row.
 *
 * @param before undefined for a new coupon
 * @param by.further writes of the same transaction
 * @throws AppError `validation_failed`, `in_use`, `already_exists`; Refused when data has changed since it was read
 */
export async function storeCoupon(
  before: Coupon | undefined,
  after: Coupon,
  by: { readonly table: Table; readonly audit: AuditContext; readonly further?: readonly Write[] },
): Promise<void> {
  const { table, audit, further = [] } = by;
  if (before?.used && before.code !== after.code) {
    throw await inUse(
      before,
      "Orders have used this code, so it cannot change. Create a new coupon instead.",
      table,
    );
  }
  const references = await referencesOf(before, after, table);
  const action = before ? "coupon.update" : "coupon.create";
  await table.transact([
    ...saveCoupon(before, after),
    ...references,
    recordActivity(audit, action, targetOf(after), { before, after }),
    ...further,
  ]);
}

/**
 * Deletes a coupon that no order has used. Throws AppError `in_use`, or Refused when it was changed or used since it
 * was read.
 */
export async function dropCoupon(coupon: Coupon, table: Table, audit: AuditContext): Promise<void> {
  if (coupon.used) {
    const message = "Orders have used this coupon. Switch it off instead.";
    throw await inUse(coupon, message, table);
  }
  await table.transact([
    ...deleteCoupon(coupon),
    recordActivity(audit, "coupon.delete", targetOf(coupon), { before: coupon }),
  ]);
}

/**
 * Returns the error for changing or deleting the code of a used coupon. It names the latest order that a bounded search
 * finds.
 */
async function inUse({ id, code }: Coupon, message: string, table: Table): Promise<AppError> {
  const { records: orders } = await searchOrders(
    table,
    {
      range: { kind: "all" },
      from: null,
      until: null,
      matches: (order) => order.coupon_code === code,
    },
    { limit: mostUsers, after: undefined },
  );
  const used_by =
    orders.length > 0
      ? orders.map((order) => ({ kind: "order", id: order.id, label: order.number }))
      : [{ kind: "orders", id: code, label: `Orders with ${code}` }];
  return new AppError("in_use", { message, details: { id, code, used_by } });
}

/**
 * Validates the products and categories that a coupon newly names. Returns conditions that make the transaction fail if
 * one of them has been deleted since.
 */
async function referencesOf(
  before: Coupon | undefined,
  after: Coupon,
  table: Table,
): Promise<Write[]> {
  const named = newlyNamed(before, after);
  const { trees, things, epochs } = await table.getMany({
    trees: named.categories.length > 0 ? [at(CategoryTree, {})] : [],
    things: named.product_ids.flatMap((id) => [at(Products, { id }), at(Sofas, { id })]),
    epochs: [at(ReferenceEpochs, {})],
  });
  const categories = trees[0] ?? { categories: [], version: 0 };
  const product_ids = new Set(things.flatMap((thing) => thing?.id ?? []));
  const problems = checkCoupon(after, named, { categories, product_ids });
  if (problems.length > 0) throw invalidFields(problems);
  if (named.categories.length + named.product_ids.length === 0) return [];
  return [
    guardNoRemovalSince(epochs[0]),
    ...(named.categories.length > 0 ? [requireCategoriesVersion(categories.version)] : []),
  ];
}
