import type { Shop } from "#shared/application/shop.ts";
import { spoken } from "#shared/domain/base/names.ts";
import {
  requireVersion,
  AppError,
  invalidFields,
  invalidField,
} from "#shared/domain/request/app-error.ts";
import type { EditCall } from "#shared/application/audit-context.ts";
import { isDeepStrictEqual } from "node:util";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type OrderPatch,
  cancellationProblems,
  editOrder,
} from "#shared/domain/order/edit/edit-order.ts";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import { changeOf, withEntries } from "#shared/domain/order/order-change.ts";
import type { OrderChange, Step } from "#shared/domain/order/order-step.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { followContact } from "#shared/storage/order/order-lookups.ts";
import type { Table } from "#shared/storage/table.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import {
  slotEntry,
  slotTakenBack,
  addressLock,
  slotLock,
} from "#shared/domain/order/edit/order-slot.ts";
import {
  mayPlanSlot,
  runZoneOfOrder,
  slotZoneOfOrder,
} from "#shared/domain/order/edit/slot-choice.ts";
import { bookPlace } from "#shared/application/delivery/free-slots.ts";
import type { Write } from "#shared/storage/writes.ts";
import { stepByCall } from "./step-by-call.ts";
import type { OrderStep } from "./step-order.ts";

interface Patching {
  readonly now: Date;
  readonly permissions: readonly string[];
  readonly planned: PlannedSlot | undefined;
}

/**
 * Stores a change of an order by staff, with its activity row.
 *
 * @param first the order, as the request has read it
 * @returns the changed order
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `order_locked`, `forbidden`, `validation_failed`,
 *   `slot_taken`
 */
export async function patchOrder(
  call: EditCall<OrderPatch> & { readonly permissions: readonly string[] },
  first: OrderRecord | undefined,
  shop: Shop<"table" | "settings", CommerceGroup>,
): Promise<OrderRecord> {
  const { headers, body: patch, permissions, now } = call;
  const { table } = shop;
  const settings = await shop.settings.current();
  const step: OrderStep = async (record) => {
    if (isDone(record, patch)) return undefined;
    const before = record.order;
    requireVersion(headers["if-match"], before.version);
    const planned = await planSlot({ record, settings, table }, patch, now);
    const change = changeBy(record, patch, settings, { now, permissions, planned });
    if (!change) return undefined;
    const contact = followContact(before, change.order, settings.store.country);
    return { ...change, writes: [...(planned?.writes ?? []), ...contact] };
  };
  return stepByCall({ ...call, first }, shop, step, {
    audit: ({ order: before }, { order: after }) => ({
      action: after.status === before.status ? "order.update" : "order.move",
      before,
      after,
    }),
  });
}

/** Whether the patch is a step alone that the order has made already. What else it would change is an edit. */
const isDone = ({ order }: OrderRecord, patch: OrderPatch): boolean => {
  const { status, keep_amount, reason, requested_by, ...edits } = patch;
  const { retained } = totalsNow(order);
  const terms = status === "cancelled" ? [] : [keep_amount, reason, requested_by];
  return (
    status === order.status &&
    (keep_amount ?? retained) === retained &&
    [...terms, ...Object.values(edits)].every((value) => value === undefined)
  );
};

/** Returns the change that the patch makes; undefined if it changes nothing. */
function changeBy(
  record: OrderRecord,
  patch: OrderPatch,
  settings: Settings,
  { now, permissions, planned }: Patching,
): OrderChange | undefined {
  const edited = { ...record, order: edit(record, patch, settings) };
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
      throw cannotMove(record, status, outcome);
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

function edit(record: OrderRecord, patch: OrderPatch, settings: Settings): StoredOrder {
  const outcome = editOrder(record.order, patch, settings);
  switch (outcome.kind) {
    case "edited":
      return outcome.order;
    case "invalid":
      throw invalidFields(outcome.problems);
    case "settled":
      throw new AppError("order_locked", {
        message: "Address and contact can no longer change: the order has shipped or has ended.",
        details: { reason: addressLock(record.order.status) },
      });
  }
}

const whyCancelled = (reason: string) => ({
  type: "cancelled_because",
  message: reason,
  public: false,
});

/** Throws when the terms of a cancellation are not allowed, or differ from those of an earlier one. */
function refuseCancellation(record: OrderRecord, patch: OrderPatch): void {
  const { status } = record.order;
  if (status === "cancelled" && patch.status === "cancelled") {
    const { retained } = totalsNow(record.order);
    if ((patch.keep_amount ?? retained) === retained) return;
    throw new AppError("order_locked", {
      message: "The order is already cancelled. What the shop keeps can no longer change.",
      details: { reason: "ended" },
    });
  }
  const problems = cancellationProblems(record, patch);
  if (problems.length > 0) throw invalidFields(problems);
}

function cannotMove(
  { order }: OrderRecord,
  to: string,
  { allowed, reason }: { readonly allowed: readonly string[]; readonly reason: string },
): AppError {
  return new AppError("invalid_transition", {
    message: `An order that is ${spoken(order.status)} cannot be set to ${spoken(to)} manually. ${reason}`,
    details: { from: order.status, to, allowed },
  });
}

/** The step that gives an order another slot, and the writes that book its place. */
interface PlannedSlot {
  readonly step: Step;
  readonly writes: readonly Write[];
}

/**
 * Plans the slot that staff have chosen for an order. Unlike buyers they can choose any day from today on, and plan
 * orders by any delivery method.
 *
 * @returns undefined if the slot stays as it is
 * @throws AppError `validation_failed`, `invalid_transition`, `slot_taken` with alternatives
 */
async function planSlot(
  { record, settings, table }: { record: OrderRecord; settings: Settings; table: Table },
  { slot: wanted, status }: OrderPatch,
  now: Date,
): Promise<PlannedSlot | undefined> {
  const { order } = record;
  const { slot: before, id: order_id } = order;
  if (wanted === undefined || (wanted === null && before === null)) return undefined;
  if (status !== undefined && status !== order.status) {
    throw invalidField("slot", "Change the status and the delivery slot one after the other.");
  }
  if (before && wanted && isSamePlace(before, { ...wanted, zone: before.zone })) return undefined;
  if (!mayPlanSlot(record)) {
    throw new AppError("order_locked", {
      message: "In its current state the order cannot have another delivery slot.",
      details: { reason: slotLock(record) },
    });
  }
  if (wanted === null) {
    const entry = slotTakenBack(slotZoneOfOrder(order, settings) !== null);
    return { step: { set: { slot: null }, entries: [entry] }, writes: [] };
  }
  const zone = runZoneOfOrder(order, settings);
  if (!zone) throw invalidField("slot", "This delivery has no slots. Set them up in settings.");
  const earliest = dayIn(settings.store.timezone, now);
  const { slot, writes } = await bookPlace(table, wanted, {
    zone,
    earliest,
    settings,
    path: "slot",
    now,
  });
  return {
    step: {
      set: { slot },
      entries: [slotEntry(before, slot)],
      events: [{ type: "order_slot_planned", order_id, at: now.toISOString() }],
    },
    writes,
  };
}
