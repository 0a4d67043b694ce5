import * as z from "zod";
import { Code } from "../base/names.ts";
import { Capacity } from "../settings/slot-settings.ts";
import {
  DeliveryDay,
  DeliverySlot,
  type PlaceCount,
  type SlotZone,
  capacityOf,
  liveHolds,
} from "./delivery-slot.ts";

/** `PUT /admin/delivery-days/{zone}/{date}`. */
export const DayInput = z.strictObject({
  closed: z.boolean().default(false),
  capacities: z.record(Code, Capacity).default({}).meta({
    description: "Orders by code of the window; windows that are left out keep their capacity",
  }),
});
export type DayInput = z.output<typeof DayInput>;

/** A day of a zone for staff. */
export const PlannedDay = DeliveryDay.pick({ zone: true, date: true, closed: true }).extend({
  windows: z.array(
    DeliverySlot.pick({ label: true, from: true, to: true }).extend({
      code: Code,
      capacity: Capacity.meta({ description: "0 if the shop does not deliver on this day" }),
      booked: z.int().min(0),
      held: z.int().min(0).meta({ description: "Places that carts hold at the moment" }),
    }),
  ),
  over_booked: z.array(Code).meta({
    description: "Windows with more bookings than their capacity. The bookings stay",
  }),
  version: z.int().meta({ description: "0 until staff change the day" }),
});
export type PlannedDay = z.output<typeof PlannedDay>;

/** @param counts of the windows, in the order of the zone's windows */
export function plannedDay(
  zone: SlotZone,
  date: PlannedDay["date"],
  { own, counts }: PlannedRows,
  now: Date,
): PlannedDay {
  const windows = zone.slots.windows.map((window, position) => {
    const count = counts[position];
    return {
      ...window,
      capacity: capacityOf(window, zone, date, own),
      booked: count?.booked ?? 0,
      held: liveHolds(count, now).length,
    };
  });
  return {
    zone: zone.code,
    date,
    closed: own?.closed ?? false,
    windows,
    over_booked: windows.filter((each) => each.booked > each.capacity).map(({ code }) => code),
    version: own?.version ?? 0,
  };
}

/** What is stored for a day. */
export interface PlannedRows {
  readonly own: DeliveryDay | undefined;
  readonly counts: readonly (PlaceCount | undefined)[];
}
