import { type ChosenSlot, slotOf } from "../../domain/delivery/delivery-slot.ts";
import { capacityOf } from "../../domain/delivery/place-count.ts";
import { lastDay } from "../../domain/delivery/slot-zone.ts";
import { invalidField } from "../../domain/request/app-error.ts";
import { readPlace } from "../../storage/delivery/delivery-places.ts";
import type { Table } from "../../storage/table.ts";
import type { SlotChoice } from "./free-slots.ts";

/**
 * The chosen place as it is stored, with its capacity: 0 if its day is not offered.
 *
 * @throws AppError `validation_failed` for an unknown window
 */
export async function readWantedPlace(
  table: Pick<Table, "getMany">,
  { date, window: code }: ChosenSlot,
  { zone, earliest, settings, now }: SlotChoice,
) {
  const window = zone.slots.windows.find((each) => each.code === code);
  if (!window) throw invalidField("window", "The selected window is invalid.");
  const place = slotOf(zone, date, window);
  const { day, count: before } = await readPlace(table, place);
  const isOffered = date >= earliest && date <= lastDay(zone, settings, now);
  return { day, place, before, capacity: isOffered ? capacityOf(window, zone, date, day) : 0, now };
}
