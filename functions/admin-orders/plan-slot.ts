import { dayIn } from "#shared/domain/base/day.ts";
import { isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import type { OrderPatch } from "#shared/domain/order/edit-order.ts";
import type { Step } from "#shared/domain/order/order-change.ts";
import { slotEntry, slotToChooseAgain } from "#shared/domain/order/order-slot.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { mayPlanSlot } from "#shared/domain/order/slot-choice.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { bookPlace, slotChoiceFor } from "#shared/application/delivery/book-slot.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

/** The step that gives an order another slot, and the writes that book its place. */
export interface PlannedSlot {
  readonly step: Step;
  readonly writes: readonly Write[];
}

/**
 * Plans the slot that staff have chosen for an order. Unlike buyers they can choose any day from today on.
 *
 * @returns undefined if the slot stays as it is
 * @throws AppError `validation_failed`, `invalid_transition`, `slot_taken` with alternatives
 */
export async function planSlot(
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
    throw new AppError("invalid_transition", {
      message: "In its current state the order cannot have another delivery slot.",
      details: { from: order.status, to: order.status, allowed: [] },
    });
  }
  if (wanted === null)
    return { step: { set: { slot: null }, entries: [slotToChooseAgain] }, writes: [] };
  const choice = slotChoiceFor(order, settings, now);
  if (!choice) throw invalidField("slot", "This delivery has no slots. Set them up in settings.");
  const earliest = dayIn(settings.store.timezone, now);
  const { slot, writes } = await bookPlace(table, wanted, { ...choice, earliest });
  return {
    step: {
      set: { slot },
      entries: [slotEntry(before, slot)],
      events: [{ type: "order_slot_planned", order_id, at: now.toISOString() }],
    },
    writes,
  };
}
