import * as z from "zod";
import { dayIn, plusDays, timeOfDay } from "../base/day.ts";
import { Code } from "../base/names.ts";
import { Day, Timestamp } from "../base/text.ts";
import type { LeadTime } from "../catalog/availability.ts";
import { type Destination, zoneOf } from "../contact/postal-code.ts";
import { type Settings, ShippingMethodCode } from "../settings/settings.ts";
import {
  Capacity,
  ClockTime,
  type SlotWindow,
  Weekday,
  type ZoneSlots,
} from "../settings/slot-settings.ts";

/** A window on a day in which an order is delivered. */
export const DeliverySlot = z.object({
  date: Day,
  window: Code,
  label: z.string(),
  from: ClockTime,
  to: ClockTime,
  zone: z.string(),
});
export type DeliverySlot = z.output<typeof DeliverySlot>;

/** The slot of an order. */
export const BookedSlot = DeliverySlot.extend({
  /** The order loses the slot if it is not confirmed by this time. */
  confirm_by: Timestamp,
});
export type BookedSlot = z.output<typeof BookedSlot>;

/** An order's slot as its buyer sees it. */
export function shownSlot(slot: BookedSlot | null): DeliverySlot | null {
  if (!slot) return null;
  const { confirm_by: _confirmBy, ...shown } = slot;
  return shown;
}

/** A slot that is chosen for an order. */
export const ChosenSlot = z.strictObject({ date: Day, window: Code });
export type ChosenSlot = z.output<typeof ChosenSlot>;

/** The place of one window on one day. */
export type Place = Pick<DeliverySlot, "zone" | "date" | "window">;

/** How a cart holds a place. It also remembers the hold before, so that holds cannot follow one another without end. */
export const SlotHold = z.object({
  /** Names the hold in the row that counts the place. */
  holder: z.string(),
  until: Timestamp,
  /** How many holds the cart has begun. */
  begun: z.int().min(1),
  /** Null once the place was given back. */
  slot: DeliverySlot.extend({ method: ShippingMethodCode }).nullable(),
});
export type SlotHold = z.output<typeof SlotHold>;

/** What staff have changed for one day of a zone. */
export const DeliveryDay = z.object({
  zone: z.string(),
  date: Day,
  closed: z.boolean(),
  /** By code of the window; windows that are left out keep their capacity. */
  capacities: z.record(Code, Capacity),
  version: z.int().min(1),
});
export type DeliveryDay = z.output<typeof DeliveryDay>;

/** The count of a place: the orders that have booked it, and the carts that hold it. */
export const PlaceCount = z.object({
  zone: z.string(),
  date: Day,
  window: Code,
  booked: z.int().min(0),
  /** The end of each hold, by its holder. */
  holds: z.record(z.string(), Timestamp),
  version: z.int().min(1),
});
export type PlaceCount = z.output<typeof PlaceCount>;

/** A zone in which delivery days can be chosen. */
export interface SlotZone {
  readonly code: string;
  readonly slots: ZoneSlots;
}

/** The zone whose delivery days a buyer can choose; null if there is nothing to choose. */
export function slotZoneOf(
  shipping: Settings["shipping"],
  destination: Destination,
  method: ShippingMethodCode,
): SlotZone | null {
  const code = zoneOf(shipping.zones, destination)?.code;
  return code === undefined ? null : slotZoneNamed(shipping, { zone: code, method });
}

/** The zone with this code, if delivery days can be chosen in it for the delivery method. */
export function slotZoneNamed(
  { slots }: Pick<Settings["shipping"], "slots">,
  { zone: code, method }: { readonly zone: string; readonly method: ShippingMethodCode },
): SlotZone | null {
  if (!slots.enabled || !slots.methods.includes(method)) return null;
  const own = slots.zones[code];
  return own ? { code, slots: own } : null;
}

export interface SlotShop {
  readonly store: Pick<Settings["store"], "timezone">;
  readonly shipping: Pick<Settings["shipping"], "slots">;
}

/** The members of a line that decide when it is ready. */
interface ReadyLine {
  readonly made_to_order: boolean;
  readonly availability: { readonly lead_time: LeadTime };
}

/**
 * The first day that can be promised for these lines. The day counts from tomorrow once today's cut-off is over. Null if
 * a line is made to order: its buyer chooses when the order is ready.
 */
export function earliestDay(
  lines: readonly ReadyLine[],
  { slots }: SlotZone,
  shop: SlotShop,
  now: Date,
): Day | null {
  if (lines.some(({ made_to_order }) => made_to_order)) return null;
  const ready = lines.map(({ availability }) => availability.lead_time.max_days);
  return firstDay(Math.max(slots.lead_days, ...ready), shop, now);
}

/** The day that comes `days` days after today, or after tomorrow once today's cut-off is over. */
export function firstDay(
  days: number,
  { store: { timezone }, shipping }: SlotShop,
  now: Date,
): Day {
  const today = dayIn(timezone, now);
  const isLate = now > timeOfDay(today, shipping.slots.cut_off, timezone);
  return plusDays(today, days + (isLate ? 1 : 0));
}

/** The last day that can be chosen now. */
export const lastDay = ({ slots }: SlotZone, shop: SlotShop, now: Date): Day =>
  plusDays(dayIn(shop.store.timezone, now), slots.horizon_days);

/** When an order for this day must be confirmed to keep its place. */
export const confirmBy = (date: Day, { slots }: SlotZone, shop: SlotShop): Timestamp =>
  timeOfDay(
    plusDays(date, -slots.lead_days),
    shop.shipping.slots.cut_off,
    shop.store.timezone,
  ).toISOString();

const weekdayOf = (date: Day): Weekday =>
  // `getUTCDay` counts from Sunday.
  Weekday.options[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;

/** Whether the shop delivers in the zone on this day. */
const isOpen = ({ slots }: SlotZone, date: Day, own: DeliveryDay | undefined): boolean =>
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
  return isOpen(zone, date, own) ? (own?.capacities[window.code] ?? window.capacity) : 0;
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
  readonly place: Place;
  readonly before: PlaceCount | undefined;
  readonly capacity: number;
  readonly now: Date;
}

/** The count with one more hold, without the holds that have ended. Null if the place is full. */
export function withHold(
  { place, before, capacity, now }: NewCount,
  { holder, until }: Pick<SlotHold, "holder" | "until">,
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

function counted({ zone, date, window }: Place, before: PlaceCount | undefined): PlaceCount {
  const { booked = 0, holds = {}, version = 0 } = before ?? {};
  return { zone, date, window, booked, holds, version: version + 1 };
}

/** How long a place is held for a cart. */
const holdMs = 15 * 60_000;

export type HoldTerms =
  | { readonly kind: "granted"; readonly hold: Pick<SlotHold, "holder" | "until" | "begun"> }
  | { readonly kind: "wait"; readonly until: Date };

/**
 * The terms of a cart's next hold. A move keeps the end of the hold. After a hold has ended, the cart may begin another
 * at once, and every later one only when as much time as a hold lasts has passed.
 */
export function nextHold(before: SlotHold | null, cartId: string, now: Date): HoldTerms {
  const until = new Date(now.getTime() + holdMs).toISOString();
  if (!before) return { kind: "granted", hold: { holder: cartId, until, begun: 1 } };
  const { holder, begun } = before;
  const end = Date.parse(before.until);
  if (end > now.getTime()) {
    return { kind: "granted", hold: { holder, until: before.until, begun } };
  }
  const again = new Date(end + holdMs);
  if (begun > 1 && again > now) return { kind: "wait", until: again };
  return { kind: "granted", hold: { holder, until, begun: begun + 1 } };
}

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
        DeliverySlot.pick({ label: true, from: true, to: true }).extend({
          code: Code,
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
    if (!isOpen(zone, date, own)) continue;
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

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.zone === other.zone && one.date === other.date && one.window === other.window;

/** The slot of a window on a day. */
export const slotOf = (zone: SlotZone, date: Day, window: SlotWindow): DeliverySlot => ({
  date,
  window: window.code,
  label: window.label,
  from: window.from,
  to: window.to,
  zone: zone.code,
});

/** The first free slots of a calendar, with the wanted one first if it is free. */
export function firstFree(
  zone: SlotZone,
  days: SlotCalendar["days"],
  wanted: Pick<Place, "date" | "window"> | null,
  most: number,
): DeliverySlot[] {
  const isWanted = ({ date, window }: DeliverySlot) =>
    date === wanted?.date && window === wanted.window;
  const free = days.flatMap(({ date, windows }) =>
    windows.flatMap(({ code, label, from, to, available }) =>
      available ? [{ date, window: code, label, from, to, zone: zone.code }] : [],
    ),
  );
  return [...free.filter(isWanted), ...free.filter((slot) => !isWanted(slot))].slice(0, most);
}

/** The slot of a cart, judged for checkout. */
export type SlotReading =
  | { readonly kind: "none" | "required" }
  | {
      /** `misplaced`: the slot is for another zone or method, or the lines are not ready by then. */
      readonly kind: "held" | "expired" | "misplaced";
      readonly slot: NonNullable<SlotHold["slot"]>;
      readonly hold: SlotHold;
    };

interface SlotCase {
  readonly hold: SlotHold | null;
  readonly lines: readonly ReadyLine[];
  readonly destination: Destination | null;
  readonly method: ShippingMethodCode | null;
  readonly settings: Pick<Settings, "shipping" | "store">;
  readonly now: Date;
}

/** Judges the slot that a cart holds. Without destination and method, only the hold's end is checked. */
export function readSlot({
  hold,
  lines,
  destination,
  method,
  settings,
  now,
}: SlotCase): SlotReading {
  const isKnown = destination !== null && method !== null;
  const zone = isKnown ? slotZoneOf(settings.shipping, destination, method) : null;
  const earliest = zone && earliestDay(lines, zone, settings, now);
  if (!hold?.slot) {
    const isRequired = settings.shipping.slots.required && lines.length > 0 && earliest !== null;
    return { kind: isRequired ? "required" : "none" };
  }
  const { slot } = hold;
  if (Date.parse(hold.until) <= now.getTime()) return { kind: "expired", slot, hold };
  const isPlaced =
    !isKnown ||
    (zone?.code === slot.zone &&
      method === slot.method &&
      earliest !== null &&
      earliest <= slot.date);
  return { kind: isPlaced ? "held" : "misplaced", slot, hold };
}
