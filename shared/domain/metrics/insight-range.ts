import * as z from "zod";
import { type Period, monthOf } from "./metrics.ts";
import { Day } from "../base/text.ts";

export const Granularity = z.enum(["day", "week", "month"]);
export type Granularity = z.output<typeof Granularity>;

/** A range of days, including its first and its last day. */
export const DayRange = z.object({ from: Day, to: Day });
export type DayRange = z.output<typeof DayRange>;

export const mostDays = 400;
export const usualDays = 30;
/** No useful range goes beyond these days. */
const [earliest, latest] = ["2000-01-01", "2199-12-31"];

const dayMs = 86_400_000;
const asDay = (moment: number): Day => new Date(moment).toISOString().slice(0, 10);
const asMoment = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** A day that is a number of days later, or earlier if negative. */
export const daysAfter = (day: Day, days: number): Day => asDay(asMoment(day) + days * dayMs);
/** The number of days from `from` to `to`. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((asMoment(to) - asMoment(from)) / dayMs);

export const everyDay = ({ from, to }: DayRange): Day[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => daysAfter(from, day));

/** The range of this many days that ends with `to`. */
export const lastDays = (to: Day, days: number): DayRange => ({
  from: daysAfter(to, 1 - days),
  to,
});

/** The range of the same length that ends on the day before this range starts. */
export const rangeBefore = (range: DayRange): DayRange =>
  lastDays(daysAfter(range.from, -1), daysBetween(range.from, range.to) + 1);

/**
 * The requested days; defaults to the last 30.
 *
 * @param most maximum number of days
 * @returns the invalid member and the reason, if the range is refused
 */
export function requestedRange(
  requested: { readonly from?: Day | undefined; readonly to?: Day | undefined },
  today: Day,
  most = mostDays,
): { ok: true; range: DayRange } | { ok: false; path: "from" | "to"; message: string } {
  const { to = requested.from && requested.from > today ? requested.from : today } = requested;
  if (to < earliest || to > latest) {
    return {
      ok: false,
      path: "to",
      message: `The to field must be between ${earliest} and ${latest}.`,
    };
  }
  const { from = lastDays(to, usualDays).from } = requested;
  const refuse = (message: string) => ({ ok: false, path: "from", message }) as const;
  if (from > to) return refuse("The from field must not be after the to field.");
  if (from < earliest) return refuse(`The from field must be ${earliest} or later.`);
  if (daysBetween(from, to) >= most) {
    return refuse(`The from field must be at most ${most - 1} days before the to field.`);
  }
  return { ok: true, range: { from, to } };
}

/**
 * Splits a range into days, weeks or months. Weeks start on Monday. The first and the last part may be shorter.
 */
export function splitRange({ from, to }: DayRange, granularity: Granularity): DayRange[] {
  const parts: DayRange[] = [];
  for (let start = from; start <= to;) {
    const end = endOf(start, granularity);
    parts.push({ from: start, to: end < to ? end : to });
    start = daysAfter(end, 1);
  }
  return parts;
}

function endOf(day: Day, granularity: Granularity): Day {
  if (granularity === "day") return day;
  if (granularity === "week") {
    const daysSinceMonday = (new Date(asMoment(day)).getUTCDay() + 6) % 7;
    return daysAfter(day, 6 - daysSinceMonday);
  }
  const date = new Date(asMoment(day));
  return asDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}

/** Splits a range into whole months and the remaining days, so that a long range is read from few rows. */
export function spansOf(range: DayRange): { from: Period; to: Period }[] {
  const months = splitRange(range, "month");
  const whole = months.filter(
    ({ from, to }) => from.endsWith("-01") && to === endOf(from, "month"),
  );
  const [first, last] = [whole[0], whole.at(-1)];
  if (!first || !last) return [range];
  return [
    { from: range.from, to: daysAfter(first.from, -1) },
    { from: monthOf(first.from), to: monthOf(last.to) },
    { from: daysAfter(last.to, 1), to: range.to },
  ].filter(({ from, to }) => from <= to);
}
