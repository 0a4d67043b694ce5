import * as z from "zod";
import { plusDays } from "../base/day.ts";
import { Code } from "../base/names.ts";
import { Day } from "../base/text.ts";
import { DeliverySlot, type Place } from "./delivery-slot.ts";
import {
  type DeliveryDay,
  type PlaceCount,
  capacityOf,
  freePlaces,
  isDayOpen,
} from "./place-count.ts";
import type { SlotZone } from "./slot-zone.ts";

export const SlotCalendar = z.object({
  zone: z.string().nullable().meta({
    description: "Null if no day can be chosen for this destination and delivery method",
  }),
  earliest_on: Day.nullable().meta({
    description: "Null if an item is made to order: its day is chosen when the order is ready",
  }),
  days: z.array(
    z.object({
      date: Day,
      windows: z.array(
        z.object({
          code: Code,
          ...DeliverySlot.pick({ label: true, from: true, to: true }).shape,
          available: z.boolean(),
        }),
      ),
    }),
  ),
});
export type SlotCalendar = z.output<typeof SlotCalendar>;

/** The rows of a zone's days between the first and the last day of a calendar. */
export interface CalendarRows {
  readonly days: readonly DeliveryDay[];
  readonly counts: readonly PlaceCount[];
}

/** The days from `from` to `to` on which the shop delivers in the zone, each with its windows. */
export function calendarOf(
  zone: SlotZone,
  { from, to }: { readonly from: Day; readonly to: Day },
  { days, counts }: CalendarRows,
  { now, holder }: { readonly now: Date; readonly holder?: string | undefined },
): SlotCalendar["days"] {
  const ownDays = new Map(days.map((day) => [day.date, day]));
  const byPlace = new Map(counts.map((count) => [`${count.date} ${count.window}`, count]));
  const open: SlotCalendar["days"] = [];
  for (let date = from; date <= to; date = plusDays(date, 1)) {
    const own = ownDays.get(date);
    if (!isDayOpen(zone, date, own)) continue;
    const windows = zone.slots.windows.map((window) => {
      const { code, label, from: start, to: end } = window;
      const capacity = capacityOf(window, zone, date, own);
      const free = freePlaces(byPlace.get(`${date} ${code}`), capacity, now, holder);
      return { code, label, from: start, to: end, available: free > 0 };
    });
    open.push({ date, windows });
  }
  return open;
}

/**
 * The free slots of a calendar that come next after the wanted one: first itself, if it is free, then those from its day
 * on, then earlier ones, the nearest first.
 */
export function firstFree(
  zone: SlotZone,
  days: SlotCalendar["days"],
  wanted: Pick<Place, "date" | "window">,
  most: number,
): DeliverySlot[] {
  const isWanted = ({ date, window }: DeliverySlot) =>
    date === wanted.date && window === wanted.window;
  const free = days.flatMap(({ date, windows }) =>
    windows.flatMap(({ code, label, from, to, available }) =>
      available ? [{ date, window: code, label, from, to, zone: zone.code }] : [],
    ),
  );
  const others = free.filter((slot) => !isWanted(slot));
  const [later, earlier] = [
    others.filter(({ date }) => date >= wanted.date),
    others.filter(({ date }) => date < wanted.date).toReversed(),
  ];
  return [...free.filter(isWanted), ...later, ...earlier].slice(0, most);
}
