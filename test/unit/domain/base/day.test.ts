import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dayIn, plusDays, rangeOfMonth, startOfDay, timeOfDay } from "#shared/domain/base/day.ts";

test.each([
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ["2026-04-05", "America/Santiago", "2026-04-05T04:00:00.000Z"],
  ["2026-03-29", "Asia/Beirut", "2026-03-28T22:00:00.000Z"],
  ["2026-03-08", "America/Havana", "2026-03-08T05:00:00.000Z"],
  ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z"],
  ["2026-11-26", "Asia/Kolkata", "2026-11-25T18:30:00.000Z"],
])("the day %s in %s starts at %s", (day, timezone, start) => {
  expect(startOfDay(day, timezone).toISOString()).toBe(start);
});

test("a clock time that the clocks skip is as much later as they are put forward", () => {
  const shown = timeOfDay("2026-09-06", "00:30", "America/Santiago");
  expect(shown.toISOString()).toBe("2026-09-06T04:30:00.000Z");
});

test("a day starts at its first moment, in every timezone", () => {
  const timezones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  fc.assert(
    fc.property(timezones, fc.nat(3_650), (timezone, days) => {
      const day = plusDays("2020-01-01", days);
      const start = startOfDay(day, timezone).getTime();
      const around = [start - 1, start].map((moment) => dayIn(timezone, new Date(moment)));
      expect([around[0]! < day, around[1]]).toEqual([true, day]);
    }),
    { numRuns: 300, examples: [["America/Santiago", 2_440]] },
  );
});

test("a month begins and ends with the days of the timezone", () => {
  const bounds = (month: string, timezone: string) => {
    const { from, until } = rangeOfMonth(month, timezone);
    return [from.toISOString(), until.toISOString()];
  };
  expect(bounds("2026-12", "Asia/Kolkata")).toEqual([
    "2026-11-30T18:30:00.000Z",
    "2026-12-31T18:30:00.000Z",
  ]);
  expect(bounds("2026-02", "America/New_York")).toEqual([
    "2026-02-01T05:00:00.000Z",
    "2026-03-01T05:00:00.000Z",
  ]);
});
