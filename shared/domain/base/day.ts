import { memoized } from "./memoize.ts";
import type { Day } from "./text.ts";

/** The time at which a calendar day starts in a timezone: at midnight, or later where the clocks skip midnight. */
export const startOfDay = (day: Day, timezone: string): Date => timeOfDay(day, "00:00", timezone);

/** A time range whose end is exclusive. A bound that is null does not limit it. */
export interface TimeRange {
  readonly from: Date | null;
  readonly until: Date | null;
}

/** The time range from one calendar day to another, inclusive, in a timezone. */
export const rangeOfDays = (
  { from, to }: { readonly from?: Day | undefined; readonly to?: Day | undefined },
  timezone: string,
): TimeRange => ({
  from: from === undefined ? null : startOfDay(from, timezone),
  until: to === undefined ? null : startOfDay(plusDays(to, 1), timezone),
});

/** The time range of a month, such as `2026-11`, in a timezone. */
export function rangeOfMonth(month: string, timezone: string): { from: Date; until: Date } {
  const first = `${month}-01`;
  const next = `${plusDays(first, 31).slice(0, 7)}-01`;
  return { from: startOfDay(first, timezone), until: startOfDay(next, timezone) };
}

/** Whether a timestamp in UTC lies in a range. */
export const isInRange = (timestamp: string, { from, until }: TimeRange): boolean =>
  (from === null || timestamp >= from.toISOString()) &&
  (until === null || timestamp < until.toISOString());

/**
 * The time at which the clocks of a timezone show `clock`, such as `17:30`, on a calendar day. Where they are put forward
 * over it, as at midnight in Chile, it is as much later as the clocks are put forward.
 */
export function timeOfDay(day: Day, clock: string, timezone: string): Date {
  const inUtc = Date.parse(`${day}T${clock}:00Z`);
  // On a day when the clocks change, the offset at this time in UTC may differ from the offset at the local time.
  const guess = inUtc - offsetAt(inUtc, timezone);
  const moment = inUtc - offsetAt(guess, timezone);
  const isShown = moment + offsetAt(moment, timezone) === inUtc;
  return new Date(isShown ? moment : Math.max(guess, moment));
}

/** The Swedish locale writes dates and times almost as ISO 8601 does. */
const clockOf = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
);

/** The offset of a timezone from UTC at a time, in ms. */
function offsetAt(moment: number, timezone: string): number {
  const clock = clockOf(timezone).format(moment).replace(" ", "T");
  return Date.parse(`${clock}Z`) - Math.floor(moment / 1000) * 1000;
}

/** The Swedish locale writes dates as ISO 8601 does. */
const calendarOf = memoized((timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }));

/** The calendar day of a time in a timezone. */
export const dayIn = (timezone: string, moment: Date): Day => calendarOf(timezone).format(moment);

export function plusDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The same day of a later month, or that month's last day if it is shorter. */
export function plusMonths(day: Day, months: number): Day {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  const first = date.toISOString().slice(0, 10);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return plusDays(first, Math.min(Number(day.slice(8)), date.getUTCDate()) - 1);
}
