import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import type { BookedSlot } from "#shared/domain/delivery/delivery-slot.ts";
import {
  type WantedDelivery,
  confirmBy,
  earliestDay,
  slotZoneFor,
} from "#shared/domain/delivery/slot-zone.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { slotRefused } from "#shared/application/delivery/free-slots.ts";
import type { Table } from "#shared/storage/table.ts";

/** The slot that the order gets; null if the cart holds none. */
export function bookedSlot(
  { slot: reading }: CartReading,
  delivery: WantedDelivery,
): BookedSlot | null {
  const zone = slotZoneFor(delivery);
  if (reading.kind !== "held" || !zone) return null;
  const { method: _method, ...slot } = reading.slot;
  return { ...slot, confirm_by: confirmBy(slot.date, zone, delivery.settings) };
}

const ofSlots: ReadonlySet<string> = new Set(["slot_expired", "slot_taken"]);

/** Runs a part of a checkout. If it refuses the cart's slot, the error offers the next free ones. */
export async function offeringSlots<Result>(
  { slot: reading, lines }: CartReading,
  delivery: WantedDelivery,
  { table }: { readonly table: Pick<Table, "query"> },
  part: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof AppError) || !("slot" in reading) || !ofSlots.has(error.code))
      throw error;
    const { settings, now } = delivery;
    const items = lines.map(({ line }) => line);
    const zone = slotZoneFor(delivery);
    const earliest = zone && earliestDay(items, zone, settings, now);
    const choice =
      zone && earliest !== null
        ? { zone, earliest, settings, holder: reading.hold.holder, now }
        : null;
    throw await slotRefused(error, reading.slot, table, choice);
  }
}
