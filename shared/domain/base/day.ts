import { memoized } from "./memoize.ts";
import type { Day } from "./text.ts";

/** The moment at which a calendar day begins in a timezone. */
export function startOfDay(day: Day, timezone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Clocks may be changed on that day, so the offset is asked for again where the first guess has led.
  const guess = midnight - offsetAt(midnight, timezone);
  return new Date(midnight - offsetAt(guess, timezone));
}

/** Sweden writes dates and times as ISO 8601 does. */
const clockOf = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
);

/** By how much clocks in a timezone are ahead of UTC at a moment, in ms. */
function offsetAt(moment: number, timezone: string): number {
  const clock = clockOf(timezone).format(moment).replace(" ", "T");
  return Date.parse(`${clock}Z`) - Math.floor(moment / 1000) * 1000;
}

/** Sweden writes its dates as ISO 8601 does. */
const calendarOf = memoized((timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }));

/** The calendar day of a moment in a timezone. */
export const dayIn = (timezone: string, moment: Date): Day => calendarOf(timezone).format(moment);

export function plusDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
