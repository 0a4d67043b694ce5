import { type BookedSlot, type ChosenSlot, slotOf } from "../../domain/delivery/delivery-slot.ts";
import { capacityOf, withBooking } from "../../domain/delivery/place-count.ts";
import { confirmBy, lastDay } from "../../domain/delivery/slot-zone.ts";
import { earliestDayOf } from "../../domain/order/order-slot.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { slotZoneOfOrder } from "../../domain/order/slot-choice.ts";
import { AppError, invalidField } from "../../domain/request/app-error.ts";
import { dayUnchanged, putCount, readPlace } from "../../storage/delivery/delivery-places.ts";
import type { Table } from "../../storage/table.ts";
import type { Write } from "../../storage/writes.ts";
import { type SlotChoice, slotRefused } from "./free-slots.ts";

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
  const { zone, earliest, settings, now } = choice;
  const { date } = wanted;
  const window = zone.slots.windows.find(({ code }) => code === wanted.window);
  if (!window) throw invalidField("window", "The selected window is invalid.");
  const place = slotOf(zone, date, window);
  const { day, count: before } = await readPlace(table, place);
  const isOffered = date >= earliest && date <= lastDay(zone, settings, now);
  const capacity = isOffered ? capacityOf(window, zone, date, day) : 0;
  const count = withBooking({ place, before, capacity, now });
  if (!count) throw await slotRefused(new AppError("slot_taken"), wanted, table, choice);
  return {
    slot: { ...place, confirm_by: confirmBy(date, zone, settings) },
    writes: [dayUnchanged(place, day), putCount(count, before)],
  };
}
