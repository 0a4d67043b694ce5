import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeOfDay } from "#shared/domain/base/day.ts";
import {
  capacityOf,
  freePlaces,
  withBooking,
  withHold,
  type DeliveryDay,
  type PlaceCount,
} from "#shared/domain/delivery/place-count.ts";
import { dayProblem, plannedDay, withCountsOf } from "#shared/domain/delivery/planned-day.ts";
import { calendarOf, firstFree } from "#shared/domain/delivery/slot-calendar.ts";
import { type Misfit, nextHold, readSlot } from "#shared/domain/delivery/slot-hold.ts";
import { confirmBy, earliestDay, lastDay } from "#shared/domain/delivery/slot-zone.ts";
import { SlotSettings, ZoneSlots } from "#shared/domain/settings/slot-settings.ts";
import { aPricedLine, noon } from "#test/support/shop/commerce.ts";
import { aHold, aSlot, aSlotShop, aSlotZone, someSlots } from "#test/support/shop/settings.ts";

const minutes = (after: number) => new Date(noon.getTime() + after * 60_000);
const ready = (max_days: number) =>
  aPricedLine({ availability: { state: "in_stock", lead_time: { min_days: 0, max_days } } });
const madeToOrder = aPricedLine({ made_to_order: true });
const shop = aSlotShop();
const zone = aSlotZone();

describe("the first day that can be promised", () => {
  test("is the zone's days ahead, or as many days as the slowest item needs", () => {
    expect(earliestDay([ready(0)], zone, shop, noon)).toBe("2026-11-23");
    expect(earliestDay([ready(1), ready(9)], zone, shop, noon)).toBe("2026-11-30");
  });

  test("is one day later after the cut-off in the store's timezone", () => {
    const before = new Date("2026-11-21T11:30:00Z");
    const after = new Date("2026-11-21T11:30:01Z");
    expect(earliestDay([ready(0)], zone, shop, before)).toBe("2026-11-23");
    expect(earliestDay([ready(0)], zone, shop, after)).toBe("2026-11-24");
  });

  test("does not exist for an item that is made to order", () => {
    expect(earliestDay([ready(0), madeToOrder], zone, shop, noon)).toBeNull();
  });
});

describe("a time of day in the store's timezone", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29", "17:00", "2026-03-29T15:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29", "01:30", "2026-03-29T00:30:00.000Z"],
    ["Europe/Berlin", "2026-10-25", "17:00", "2026-10-25T16:00:00.000Z"],
    ["America/New_York", "2026-03-08", "09:00", "2026-03-08T13:00:00.000Z"],
    ["America/New_York", "2026-11-01", "09:00", "2026-11-01T14:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-10-04", "09:00", "2026-10-03T22:00:00.000Z"],
    ["Asia/Kolkata", "2026-11-21", "17:00", "2026-11-21T11:30:00.000Z"],
  ])("follows the clocks of %s on %s at %s", (timezone, day, clock, time) => {
    expect(timeOfDay(day, clock, timezone).toISOString()).toBe(time);
  });

  test("decides by when an order must be confirmed, also over a change of the clocks", () => {
    const berlin = aSlotShop({}, { timezone: "Europe/Berlin" });
    expect(confirmBy("2026-10-26", zone, berlin)).toBe("2026-10-24T15:00:00.000Z");
    expect(confirmBy("2026-10-27", zone, berlin)).toBe("2026-10-25T16:00:00.000Z");
  });
});

describe("a calendar", () => {
  const range = { from: "2026-11-23", to: lastDay(zone, shop, noon) };
  const own = (day: Partial<DeliveryDay>): DeliveryDay => ({
    zone: "city",
    date: "2026-11-24",
    closed: false,
    capacities: {},
    version: 1,
    ...day,
  });
  const count = (overrides: Partial<PlaceCount> = {}): PlaceCount => ({
    ...aSlot(),
    booked: 0,
    holds: {},
    version: 1,
    ...overrides,
  });
  const shown = (days: DeliveryDay[], counts: PlaceCount[], holder?: string) =>
    calendarOf(zone, range, { days, counts }, { now: noon, holder });

  test("ends on the last day of the horizon, and has no day on which the shop is closed", () => {
    const closed = aSlotZone({ closed_on: ["2026-11-25"] });
    const days = calendarOf(
      closed,
      range,
      { days: [own({ closed: true })], counts: [] },
      { now: noon },
    );
    expect(days.map(({ date }) => date.slice(5)).join(" ")).toBe(
      "11-23 11-26 11-27 11-28 11-30 12-01 12-02 12-03 12-04 12-05",
    );
  });

  test("counts bookings and the holds that have not ended, but not the caller's own", () => {
    const available = (counts: PlaceCount[], holder?: string) =>
      shown([], counts, holder).find(({ date }) => date === "2026-11-24")?.windows[0]?.available;
    const [live, ended] = [minutes(1).toISOString(), noon.toISOString()];
    expect(available([count({ booked: 1, holds: { one: ended } })])).toBe(true);
    expect(available([count({ booked: 1, holds: { one: live } })])).toBe(false);
    expect(available([count({ booked: 1, holds: { one: live } })], "one")).toBe(true);
    expect(available([count({ booked: 2 })], "one")).toBe(false);
  });

  test("takes the capacity that staff have set for the day", () => {
    const [morning, evening] = zone.slots.windows;
    const day = own({ capacities: { morning: 0 } });
    expect(capacityOf(morning!, zone, "2026-11-24", day)).toBe(0);
    expect(capacityOf(evening!, zone, "2026-11-24", day)).toBe(1);
    expect(capacityOf(evening!, zone, "2026-11-24", own({ closed: true }))).toBe(0);
    expect(capacityOf(evening!, zone, "2026-11-22", undefined)).toBe(0);
  });

  test("offers the wanted slot first if it is free, then the next ones, then earlier ones", () => {
    const full = [count({ booked: 2 })];
    const offered = (counts: PlaceCount[], date: string) =>
      firstFree(zone, shown([], counts), { date, window: "morning" }, 3).map(
        (slot) => `${slot.date} ${slot.window}`,
      );
    expect(offered([], "2026-11-24")).toEqual([
      "2026-11-24 morning",
      "2026-11-24 evening",
      "2026-11-25 morning",
    ]);
    expect(offered(full, "2026-11-24")).toEqual([
      "2026-11-24 evening",
      "2026-11-25 morning",
      "2026-11-25 evening",
    ]);
    expect(offered([count({ date: "2026-12-05", booked: 2 })], "2026-12-05")).toEqual([
      "2026-12-05 evening",
      "2026-12-04 evening",
      "2026-12-04 morning",
    ]);
    expect(offered([], "2026-01-05")).toEqual([
      "2026-11-23 morning",
      "2026-11-23 evening",
      "2026-11-24 morning",
    ]);
  });

  test("for staff names windows with too many bookings, also those that the settings no longer have", () => {
    const counts = [
      count({ booked: 3, holds: { one: minutes(1).toISOString(), two: noon.toISOString() } }),
      count({ window: "night", label: "Night", from: "20:00", to: "22:00", booked: 1 }),
      count({ window: "noon", label: "Noon", from: "12:00", to: "13:00", booked: 0 }),
    ];
    const day = plannedDay(zone, "2026-11-24", { own: undefined, counts }, noon);
    expect(
      day.windows.map(({ code, capacity, booked, held }) => [code, capacity, booked, held]),
    ).toEqual([
      ["morning", 2, 3, 1],
      ["evening", 1, 0, 0],
      ["night", 0, 1, 0],
    ]);
    expect(day).toMatchObject({ over_booked: ["morning", "night"], version: 0, capacities: {} });
    const sent = { windows: day.windows.map((each) => ({ ...each, booked: 0 })), over_booked: [] };
    expect(withCountsOf(sent, day)).toMatchObject({ ...sent, version: 0 });
    expect(withCountsOf({ windows: "x" }, day)).toBe(day);
  });
});

describe("a day that staff change", () => {
  const problem = (changes: Partial<DeliveryDay>, of = zone, now = noon) =>
    dayProblem(of, { date: "2026-11-24", closed: false, capacities: {}, ...changes }, shop, now);
  const changes = [{ closed: true }, { capacities: { morning: 4 } }];

  test("must not have passed in the store's timezone", () => {
    const [evening, night] = [new Date("2026-11-24T18:29:59Z"), new Date("2026-11-24T18:30:00Z")];
    for (const change of changes) {
      expect(problem(change, zone, evening)).toBeNull();
      expect(problem(change, zone, night)).toBe("The day has passed.");
    }
  });

  test("must be one on which the zone delivers by its weekdays and closed days", () => {
    const [noTuesdays, holiday] = [
      aSlotZone({ weekdays: ["mon", "wed"] }),
      aSlotZone({ closed_on: ["2026-11-24"] }),
    ];
    for (const change of changes) {
      expect(problem(change)).toBeNull();
      for (const closed of [noTuesdays, holiday]) {
        expect(problem(change, closed)).toContain("weekdays or closed days in the settings");
      }
    }
  });

  test("can always go back to the capacities of the settings", () => {
    const later = new Date("2027-01-01T00:00:00Z");
    expect(problem({}, aSlotZone({ closed_on: ["2026-11-24"] }), later)).toBeNull();
  });
});

describe("holds of a cart", () => {
  test("last 15 minutes, keep their end when they move, begin again once at once, and then only after 15 minutes", () => {
    const first = nextHold(null, "cart_1", noon);
    const until = minutes(15).toISOString();
    expect(first).toEqual({ kind: "granted", hold: { holder: "cart_1", until, begun: 1 } });
    const held = aHold({ holder: "cart_1" });
    expect(nextHold(held, "cart_2", minutes(14))).toEqual(first);
    expect(nextHold({ ...held, slot: null }, "cart_1", minutes(14))).toEqual(first);
    expect(nextHold(held, "cart_1", minutes(15))).toEqual({
      kind: "granted",
      hold: { holder: "cart_1", until: minutes(30).toISOString(), begun: 2 },
    });
    const second = aHold({ begun: 2, until: minutes(30).toISOString() });
    expect(nextHold(second, "cart_1", minutes(44))).toEqual({ kind: "wait", until: minutes(45) });
    expect(nextHold(second, "cart_1", minutes(45))).toMatchObject({
      kind: "granted",
      hold: { begun: 3, until: minutes(60).toISOString() },
    });
  });

  const reading = (overrides: Partial<Parameters<typeof readSlot>[0]> = {}) =>
    readSlot({
      hold: aHold(),
      lines: [ready(1)],
      destination: { country: "IN", postal_code: "560001" },
      method: "standard",
      settings: shop,
      now: noon,
      ...overrides,
    });
  const judged = (...overrides: Parameters<typeof reading>) => reading(...overrides).kind;

  test("are good for the delivery for which they began, until they end", () => {
    expect(judged()).toBe("held");
    expect(judged({ destination: null, method: null })).toBe("held");
    expect(judged({ now: minutes(15) })).toBe("expired");
  });

  const both = aSlotShop({ methods: ["standard", "pickup"] });
  test.each<[string, Misfit, Parameters<typeof judged>[0]]>([
    ["another zone", "elsewhere", { destination: { country: "IN", postal_code: "570001" } }],
    ["another method", "elsewhere", { method: "pickup", settings: both }],
    [
      "an address without a zone",
      "no_slots",
      { destination: { country: "IN", postal_code: "11" } },
    ],
    ["a method without slots", "no_slots", { method: "pickup" }],
    ["a zone that has no slots any more", "no_slots", { settings: aSlotShop({ zones: {} }) }],
    ["a shop that has no slots any more", "no_slots", { settings: aSlotShop({ enabled: false }) }],
    ["an item that is ready later", "too_early", { lines: [ready(1), ready(4)] }],
    ["an item that is made to order", "made_to_order", { lines: [ready(1), madeToOrder] }],
  ])("do not suit %s", (_name, misfit, changes) => {
    expect(reading(changes)).toMatchObject({ kind: "misplaced", misfit });
  });

  const unknown = { destination: null, method: null };
  test.each<[Misfit, Parameters<typeof judged>[0]]>([
    ["elsewhere", { destination: { country: "IN", postal_code: "570001" } }],
    ["elsewhere", { method: "pickup", settings: both }],
    ["no_slots", { settings: aSlotShop({ zones: {} }) }],
    ["too_early", { lines: [ready(4)] }],
    ["made_to_order", { lines: [madeToOrder] }],
  ])(
    "are judged by their own zone and method until a delivery is chosen: %s",
    (misfit, changes) => {
      expect(reading({ ...unknown, ...changes })).toMatchObject({ kind: "misplaced", misfit });
    },
  );

  test("are required where the setting says so, unless there is nothing to choose", () => {
    const settings = aSlotShop({ required: true });
    const without = { hold: null, settings };
    expect(judged(without)).toBe("required");
    expect(judged({ ...without, hold: aHold({ slot: null }) })).toBe("required");
    for (const exempt of [
      { settings: shop },
      { lines: [] },
      { lines: [madeToOrder] },
      { method: "pickup" as const },
      { destination: { country: "IN", postal_code: "110001" } },
      { destination: null, method: null },
      { destination: null },
      { method: null },
      { settings: aSlotShop({ required: true, enabled: false }) },
    ]) {
      expect(judged({ ...without, ...exempt })).toBe("none");
    }
  });
});

test("a place never has more live holds and bookings than its capacity, in any sequence of holds, bookings and time", () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("hold" as const), holder: fc.nat(6), minutes: fc.nat(15) }),
      fc.record({ kind: fc.constant("book" as const) }),
      fc.record({ kind: fc.constant("wait" as const), minutes: fc.nat(12) }),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 4 }), (all, capacity) => {
      let count: PlaceCount | undefined;
      let passed = 0;
      for (const step of all) {
        const now = minutes(passed);
        const before: PlaceCount | undefined = count;
        const at = { place: aSlot(), before, capacity, now };
        if (step.kind === "wait") passed += step.minutes;
        else if (step.kind === "book") count = withBooking(at) ?? count;
        else {
          const until = minutes(passed + step.minutes).toISOString();
          count = withHold(at, { holder: `cart_${step.holder}`, until }) ?? count;
        }
        expect(freePlaces(count, capacity, minutes(passed))).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test("a window on the same day begins after the cut-off, so that nobody can choose a time that is over", () => {
  const { slots } = aSlotShop().shipping;
  const sameDay = (cut_off: string) =>
    SlotSettings.safeParse({ ...slots, cut_off, zones: { city: someSlots({ lead_days: 0 }) } });
  expect(sameDay("09:00").success).toBe(true);
  expect(sameDay("09:01").error?.issues.map(({ path }) => path.join("."))).toEqual([
    "zones.city.windows.0.from",
  ]);
});

test("a zone's horizon reaches at least as far as the days by which its orders must be confirmed", () => {
  const { error } = ZoneSlots.safeParse(someSlots({ lead_days: 10, horizon_days: 9 }));
  expect(error?.issues.map(({ path }) => path)).toEqual([["horizon_days"]]);
  expect(ZoneSlots.safeParse(someSlots({ lead_days: 9, horizon_days: 9 })).success).toBe(true);
});
