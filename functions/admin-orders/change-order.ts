import { isDeepStrictEqual } from "node:util";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type OrderPatch,
  cancellationProblems,
  editOrder,
} from "#shared/domain/order/edit-order.ts";
import { moveOrder, staffMoves } from "#shared/domain/order/move-order.ts";
import {
  type OrderChange,
  changeOf,
  changed,
  withEntries,
} from "#shared/domain/order/order-change.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { changeOrder } from "#shared/storage/order/order-changes.ts";
import { followContact } from "#shared/storage/order/order-lookups.ts";
import { type PlannedSlot, planSlot } from "./plan-slot.ts";
import type { Table } from "#shared/storage/table.ts";

interface PatchedBy {
  readonly audit: AuditContext;
  readonly permissions: readonly string[];
}

/**
 * Stores a change of an order by staff, with its activity row.
 *
 * @returns the changed order
 * @throws AppError `invalid_transition`, `forbidden`, `validation_failed`, `slot_taken`; Refused when the order has changed since
 *   it was read
 */
export async function patchOrder(
  { record, settings, table }: { record: OrderRecord; settings: Settings; table: Table },
  patch: OrderPatch,
  by: PatchedBy,
): Promise<OrderRecord> {
  const { audit } = by;
  const before = record.order;
  const planned = await planSlot({ record, settings, table }, patch, audit.now);
  const change = changeBy(record, patch, settings, { ...by, planned });
  if (!change) return record;
  const { order: after } = change;
  const action = after.status === before.status ? "order.update" : "order.move";
  await table.transact([
    ...changeOrder(before, change, audit.now).writes,
    ...(planned?.writes ?? []),
    ...followContact(before, after, settings.store.country),
    recordActivity(audit, action, targetOf(before), { before, after }),
  ]);
  return changed(record, change);
}

export const targetOf = ({ id, number }: StoredOrder) => ({ kind: "order", id, label: number });

/** Returns the change that the patch makes; undefined if it changes nothing. */
function changeBy(
  record: OrderRecord,
  patch: OrderPatch,
  settings: Settings,
  {
    audit: { now },
    permissions,
    planned,
  }: PatchedBy & { readonly planned: PlannedSlot | undefined },
): OrderChange | undefined {
  const edited = { ...record, order: edit(record, patch, settings, permissions) };
  const { status = record.order.status, requested_by = "shop", keep_amount = 0 } = patch;
  refuseCancellation(record, patch);
  const outcome = moveOrder(edited, status, {
    now,
    permissions,
    cancellation: { requested_by, keep_amount },
    newTransactionId: () => newId("txn", now),
  });
  switch (outcome.kind) {
    case "refused":
      throw cannotMove(record, status, outcome.allowed);
    case "forbidden":
      throw new AppError("forbidden", {
        message:
          "Cancelling this order refunds what was paid. You do not have permission to refund.",
        details: { permission: outcome.permission },
      });
    case "moved":
      return patch.reason === undefined
        ? outcome.change
        : withEntries(outcome.change, [whyCancelled(patch.reason)]);
    case "already": {
      const isSame = !planned && isDeepStrictEqual(edited.order, record.order);
      return isSame ? undefined : changeOf(edited, planned?.step ?? {}, now);
    }
  }
}

function edit(
  record: OrderRecord,
  patch: OrderPatch,
  settings: Settings,
  permissions: readonly string[],
): StoredOrder {
  const outcome = editOrder(record.order, patch, settings);
  switch (outcome.kind) {
    case "edited":
      return outcome.order;
    case "invalid":
      throw invalidFields(outcome.problems);
    case "settled": {
      const { status } = record.order;
      const allowed = staffMoves(record, permissions);
      throw new AppError("invalid_transition", {
        message: "Address and contact can no longer change: the order has shipped or has ended.",
        details: { from: status, to: status, allowed },
      });
    }
  }
}

const whyCancelled = (reason: string) => ({
  type: "cancelled_because",
  message: reason,
  public: false,
});

/** Throws when the terms of a cancellation are not allowed, or differ from those of an earlier one. */
function refuseCancellation(record: OrderRecord, patch: OrderPatch): void {
  const { status, deposit } = record.order;
  if (status === "cancelled" && patch.status === "cancelled") {
    if ((patch.keep_amount ?? deposit?.retained ?? 0) === (deposit?.retained ?? 0)) return;
    throw new AppError("invalid_transition", {
      message: "The order is already cancelled. What the shop keeps can no longer change.",
      details: { from: status, to: status, allowed: [] },
    });
  }
  const problems = cancellationProblems(record, patch);
  if (problems.length > 0) throw invalidFields(problems);
}

function cannotMove({ order }: OrderRecord, to: string, allowed: readonly string[]): AppError {
  return new AppError("invalid_transition", {
    message: `An order that is ${words(order.status)} cannot be set to ${words(to)} manually.`,
    details: { from: order.status, to, allowed },
  });
}

const words = (state: string) => state.replaceAll("_", " ");
