import { memoized } from "./memoize.ts";
import type { Day } from "./text.ts";

/** The time at which a calendar day starts in a timezone. */
export function startOfDay(day: Day, timezone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The clocks may change on that day, so the offset is read again at the first guess.
  const guess = midnight - offsetAt(midnight, timezone);
  return new Date(midnight - offsetAt(guess, timezone));
}

/** Swedish dates and times look like ISO 8601. */
const clockOf = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
);

/** The offset of a timezone from UTC at a time, in ms. */
function offsetAt(moment: number, timezone: string): number {
  const clock = clockOf(timezone).format(moment).replace(" ", "T");
  return Date.parse(`${clock}Z`) - Math.floor(moment / 1000) * 1000;
}

/** Swedish dates look like ISO 8601. */
const calendarOf = memoized((timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }));

/** The calendar day of a time in a timezone. */
export const dayIn = (timezone: string, moment: Date): Day => calendarOf(timezone).format(moment);

export function plusDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
