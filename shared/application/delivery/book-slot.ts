import type { BookedSlot, ChosenSlot } from "../../domain/delivery/delivery-slot.ts";
import { withBooking } from "../../domain/delivery/place-count.ts";
import { confirmBy } from "../../domain/delivery/slot-zone.ts";
import { earliestDayOf } from "../../domain/order/order-slot.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { slotZoneOfOrder } from "../../domain/order/slot-choice.ts";
import { AppError } from "../../domain/request/app-error.ts";
import { dayUnchanged, putCount } from "../../storage/delivery/delivery-places.ts";
import type { Table } from "../../storage/table.ts";
import type { Write } from "../../storage/writes.ts";
import { type SlotChoice, slotRefused } from "./free-slots.ts";
import { readWantedPlace } from "./wanted-place.ts";

/** The slots that an order can have; null if its zone or method has none. */
export function slotChoiceFor(
  order: StoredOrder,
  settings: SlotChoice["settings"],
  now: Date,
): SlotChoice | null {
  const zone = slotZoneOfOrder(order, settings);
  return zone && { zone, earliest: earliestDayOf(order, zone, settings, now), settings, now };
}

/**
 * The slot with the writes that book its place.
 *
 * @throws AppError `validation_failed` for an unknown window, `slot_taken` with alternatives
 */
export async function bookPlace(
  table: Pick<Table, "getMany" | "query">,
  wanted: ChosenSlot,
  choice: SlotChoice,
): Promise<{ slot: BookedSlot; writes: Write[] }> {
  const { day, place, before, ...rest } = await readWantedPlace(table, wanted, choice);
  const count = withBooking({ place, before, ...rest });
  if (!count) throw await slotRefused(new AppError("slot_taken"), wanted, table, choice);
  return {
    slot: {
      ...place,
      confirm_by: confirmBy(place.date, choice.zone, choice.settings),
      has_left: false,
    },
    writes: [dayUnchanged(place, day), putCount(count, before)],
  };
}
