import * as z from "zod";
import { Code } from "../base/names.ts";
import { dayIn } from "../base/day.ts";
import type { Day } from "../base/text.ts";
import { Capacity } from "../settings/slot-settings.ts";
import { DeliverySlot } from "./delivery-slot.ts";
import { DeliveryDay, type PlaceCount, capacityOf, isDayOpen, liveHolds } from "./place-count.ts";
import type { SlotShop, SlotZone } from "./slot-zone.ts";

const Booked = z.int().min(0).meta({ description: "Orders that have booked the window" });
const Held = z.int().min(0).meta({ description: "Places that carts hold at the moment" });
const OverBooked = z.array(Code).meta({
  description: "Windows with more bookings than their capacity. The bookings stay",
});

/** `PUT /admin/delivery-days/{zone}/{date}`. */
export const DayInput = z.strictObject({
  closed: z.boolean().default(false),
  capacities: DeliveryDay.shape.capacities.default({}).meta({
    description:
      "Orders by code of the window; windows that are left out have the capacity of the settings",
  }),
});
export type DayInput = z.output<typeof DayInput>;

/** A day of a zone for staff. */
export const PlannedDay = DeliveryDay.extend({
  windows: z.array(
    z.object({
      code: Code,
      ...DeliverySlot.pick({ label: true, from: true, to: true }).shape,
      capacity: Capacity.meta({ description: "0 if the shop does not deliver on this day" }),
      booked: Booked,
      held: Held,
    }),
  ),
  over_booked: OverBooked,
  version: z.int().meta({ description: "0 until staff change the day" }),
});
export type PlannedDay = z.output<typeof PlannedDay>;

/** What is stored for a day. */
export interface PlannedRows {
  readonly own: DeliveryDay | undefined;
  readonly counts: readonly PlaceCount[];
}

/** A day that staff have not changed. */
export const usualDay = (zone: SlotZone, date: Day): DeliveryDay => ({
  zone: zone.code,
  date,
  closed: false,
  capacities: {},
  version: 0,
});

/**
 * Why a change of the day would have no effect; null if it has one. Going back to the settings' capacities is always
 * possible.
 */
export function dayProblem(
  zone: SlotZone,
  { date, closed, capacities }: Pick<DeliveryDay, "date" | "closed" | "capacities">,
  { store: { timezone } }: SlotShop,
  now: Date,
): string | null {
  if (!closed && Object.keys(capacities).length === 0) return null;
  if (date < dayIn(timezone, now)) return "The day has passed.";
  if (isDayOpen(zone, date, undefined)) return null;
  return "The zone does not deliver on this day. Change the zone's weekdays or closed days in the settings.";
}

/** The day with its windows, also with those that the settings no longer have while orders are booked in them. */
export function plannedDay(
  zone: SlotZone,
  date: Day,
  { own, counts }: PlannedRows,
  now: Date,
): PlannedDay {
  const usual = zone.slots.windows;
  const removed = counts
    .filter(({ booked, window }) => booked > 0 && !usual.some(({ code }) => code === window))
    .map(({ window: code, label, from, to }) => ({ code, label, from, to, capacity: 0 }));
  const windows = [...usual, ...removed].map((window) => {
    const count = counts.find((each) => each.window === window.code);
    return {
      ...window,
      capacity: capacityOf(window, zone, date, own),
      booked: count?.booked ?? 0,
      held: liveHolds(count, now).length,
    };
  });
  return {
    ...(own ?? usualDay(zone, date)),
    windows,
    over_booked: windows.filter((each) => each.booked > each.capacity).map(({ code }) => code),
  };
}

const Counts = z.object({
  windows: z.array(z.object({ booked: Booked, held: Held })).default([]),
  over_booked: OverBooked.optional(),
});

/**
 * The day with the counts that the body sends back. Buyers may have changed the counts since staff read the day, and
 * that must not refuse the PUT.
 */
export function withCountsOf(sent: object, day: PlannedDay): PlannedDay {
  const { data } = Counts.safeParse(sent);
  if (!data) return day;
  const windows = day.windows.map((window, position) => ({ ...window, ...data.windows[position] }));
  return { ...day, windows, over_booked: data.over_booked ?? day.over_booked };
}
