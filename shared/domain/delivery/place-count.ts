import * as z from "zod";
import { Code } from "../base/names.ts";
import { Day, Timestamp } from "../base/text.ts";
import { Capacity, type SlotWindow, Weekday } from "../settings/slot-settings.ts";
import { DeliverySlot } from "./delivery-slot.ts";
import type { SlotZone } from "./slot-zone.ts";

/** What staff have changed for one day of a zone. */
export const DeliveryDay = z.object({
  zone: z.string(),
  date: Day,
  closed: z.boolean(),
  /** By code of the window; windows that are left out have the capacity of the settings. */
  capacities: z.record(Code, Capacity),
  version: z.int().min(1),
});
export type DeliveryDay = z.output<typeof DeliveryDay>;

/**
 * The count of a place: the orders that have booked it, and the carts that hold it. It has the window's label and times,
 * so that staff see its bookings also after the settings have lost the window.
 */
export const PlaceCount = DeliverySlot.extend({
  booked: z.int().min(0),
  /** The end of each hold, by its holder. */
  holds: z.record(z.string(), Timestamp),
  version: z.int().min(1),
});
export type PlaceCount = z.output<typeof PlaceCount>;

const weekdayOf = (date: Day): Weekday =>
  // `getUTCDay` counts from Sunday.
  Weekday.options[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;

/** Whether the shop delivers in the zone on this day. */
export const isDayOpen = ({ slots }: SlotZone, date: Day, own: DeliveryDay | undefined): boolean =>
  own?.closed !== true &&
  slots.weekdays.includes(weekdayOf(date)) &&
  !slots.closed_on.includes(date);

/** The orders that a window takes on a day; 0 if the shop is closed. */
export function capacityOf(
  window: SlotWindow,
  zone: SlotZone,
  date: Day,
  own: DeliveryDay | undefined,
): number {
  return isDayOpen(zone, date, own) ? (own?.capacities[window.code] ?? window.capacity) : 0;
}

/** The holds of a place that have not ended. */
export const liveHolds = (count: PlaceCount | undefined, now: Date): [string, Timestamp][] =>
  Object.entries(count?.holds ?? {}).filter(([, until]) => Date.parse(until) > now.getTime());

/** How many orders a place can still take. Negative if it is over-booked. */
export function freePlaces(
  count: PlaceCount | undefined,
  capacity: number,
  now: Date,
  holder?: string,
): number {
  const held = liveHolds(count, now).filter(([other]) => other !== holder);
  return capacity - (count?.booked ?? 0) - held.length;
}

interface NewCount {
  readonly place: DeliverySlot;
  readonly before: PlaceCount | undefined;
  readonly capacity: number;
  readonly now: Date;
}

/** The count with one more hold, without the holds that have ended. Null if the place is full. */
export function withHold(
  { place, before, capacity, now }: NewCount,
  { holder, until }: { readonly holder: string; readonly until: Timestamp },
): PlaceCount | null {
  if (freePlaces(before, capacity, now, holder) < 1) return null;
  const holds = { ...Object.fromEntries(liveHolds(before, now)), [holder]: until };
  return { ...counted(place, before), holds };
}

/** The count with one more booking. Null if the place is full. */
export function withBooking({ place, before, capacity, now }: NewCount): PlaceCount | null {
  if (freePlaces(before, capacity, now) < 1) return null;
  const count = counted(place, before);
  const holds = Object.fromEntries(liveHolds(before, now));
  return { ...count, booked: count.booked + 1, holds };
}

function counted(
  { date, window, label, from, to, zone }: DeliverySlot,
  before: PlaceCount | undefined,
): PlaceCount {
  const { booked = 0, holds = {}, version = 0 } = before ?? {};
  // `before` first: it may have members of a later release.
  return { ...before, date, window, label, from, to, zone, booked, holds, version: version + 1 };
}
