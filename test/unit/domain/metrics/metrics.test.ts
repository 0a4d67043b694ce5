import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storedEvent } from "#shared/domain/metrics/analytics-event.ts";
import { messageTally, waitingSince } from "#shared/domain/metrics/enquiry-metrics.ts";
import {
  type CountableEvent,
  type Visit,
  countEvents,
} from "#shared/domain/metrics/event-metrics.ts";
import {
  type Metrics,
  type RowName,
  type Tally,
  difference,
  metricOf,
  sumOf,
  namesIn,
  withinRoom,
} from "#shared/domain/metrics/metrics.ts";
import {
  Granularity,
  requestedRange,
  daysAfter,
  everyDay,
  mostDays,
  splitRange,
  rangeBefore,
  spansOf,
} from "#shared/domain/metrics/insight-range.ts";
import { noon } from "#test/support/shop/commerce.ts";

const tallies = fc.dictionary(
  fc.constantFrom<RowName>("sales#2026-11-21", "events#2026-11-21"),
  fc.dictionary(fc.constantFrom("orders", "revenue", "units"), fc.integer({ min: -99, max: 99 })),
) as fc.Arbitrary<Tally>;

test.each([
  ["https://www.search.example/find?q=private", "search.example"],
  ["https://www.shop.example/sofas", null],
  ["/sofas", null],
  [`https://${"a".repeat(60)}.${"b".repeat(60)}.example/`, `${"a".repeat(60)}.${"b".repeat(39)}`],
])("of the referrer %s an event keeps %j", (referrer, host) => {
  const page = { path: "https://shop.example/", referrer };
  const names = { event_id: "e1", session_id: "s1", name: "page_view" } as const;
  const event = { ...names, occurred_at: noon.toISOString(), page };
  expect(storedEvent(event, { now: noon, timezone: "UTC" }).page?.referrer_host).toBe(host);
});

describe("metric tallies", () => {
  test("add up: before plus difference(before, after) equals after, and equal tallies have an empty difference", () => {
    fc.assert(
      fc.property(tallies, tallies, (before, after) => {
        expect(sumOf(before, difference(before, after))).toEqual(sumOf(after));
        expect(difference(after, after)).toEqual({});
      }),
    );
  });

  test("have names of word characters only, from which the original text can be decoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (thing) => {
        const name = metricOf("page", thing);
        expect(name).toMatch(/^\w+$/);
        expect(namesIn({ [name]: 3, orders: 1 }, "page")).toEqual([[thing, 3]]);
      }),
    );
  });

  test("count a limited number of names separately and all others together", () => {
    const row: RowName = "traffic#2026-11-21";
    const pages = (from: number, count: number): Metrics =>
      Object.fromEntries(
        Array.from({ length: count }, (_, page) => [metricOf("page", `/${from + page}`), 1]),
      );
    const standing = new Map([[row, pages(0, 240)]]);
    const placed = withinRoom({ [row]: pages(200, 100) }, standing)[row] ?? {};
    // Of the hundred pages, forty are known and ten more fit. The other fifty are counted under one name.
    expect(Object.keys(placed)).toHaveLength(51);
    expect(placed[metricOf("page")]).toBe(50);
    expect(Object.values(placed).reduce((sum, by) => sum + by, 0)).toBe(100);
  });
});

const day = "2026-11-21";
const events = fc.uniqueArray(
  fc.record({
    session_id: fc.constantFrom("a", "b", "c"),
    event_id: fc.uuid(),
    name: fc.constantFrom("page_view", "view_item", "add_to_cart", "begin_checkout"),
    day: fc.constant(day),
    occurred_at: fc.constantFrom("2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z"),
    path: fc.constantFrom("/", null),
    source: fc.constant("direct"),
    items: fc.constantFrom([], [{ thing: "product:chair", quantity: 2 }]),
    search: fc.constant(null),
    search_query: fc.constant(null),
    value: fc.nat(1_000),
    currency: fc.constantFrom("INR", "EUR", null),
  }) as fc.Arbitrary<CountableEvent>,
  { selector: ({ event_id }) => event_id, maxLength: 30 },
);

describe("the metrics of a day's visitor events", () => {
  const countIn = (parts: readonly (readonly CountableEvent[])[]): Tally => {
    const visits = new Map<string, Visit>();
    const counted = parts.map((part) => {
      const outcome = countEvents(day, part, {
        visits: [...visits.values()],
        productOf: (thing) => (thing === "product:chair" ? "prd_1" : undefined),
        currency: "INR",
      });
      for (const visit of outcome.visits) visits.set(visit.session_id, visit);
      return outcome.tally;
    });
    return sumOf(...counted);
  };

  test("are the same for any division of the events into batches", () => {
    fc.assert(
      fc.property(events, fc.nat(30), (all, cut) => {
        expect(countIn([all.slice(0, cut), all.slice(cut)])).toEqual(countIn([all]));
      }),
    );
  });

  test("count every session once, and each funnel step of a session once", () => {
    fc.assert(
      fc.property(events, (all) => {
        const metrics = countIn(all.map((event) => [event]))[`events#${day}`] ?? {};
        const sessions = new Set(all.map(({ session_id }) => session_id));
        const carts = all.filter(({ name }) => name === "add_to_cart");
        expect(metrics["sessions"] ?? 0).toBe(sessions.size);
        expect(metrics["add_to_cart"] ?? 0).toBe(carts.length);
        expect(metrics["reached_add_to_cart"] ?? 0).toBe(
          new Set(carts.map(({ session_id }) => session_id)).size,
        );
      }),
    );
  });
});

describe("the response time to a customer", () => {
  const said = (direction: "inbound" | "outbound", minute: number) => ({
    direction,
    at: `2026-11-21T06:${String(minute).padStart(2, "0")}:00.000Z`,
  });

  test("is measured from the first unanswered message", () => {
    const earlier = [
      said("inbound", 9),
      said("inbound", 5),
      said("outbound", 3),
      said("inbound", 1),
    ];
    expect(waitingSince(earlier)).toBe(said("inbound", 5).at);
    expect(waitingSince([said("outbound", 3)])).toBe(null);
    const answer = { ...said("outbound", 15), state: "sent" as const };
    expect(messageTally(answer, said("inbound", 5).at, "Asia/Kolkata")).toEqual({
      "messages#2026-11-21": { written: 1, state_sent: 1, responses: 1, response_seconds: 600 },
    });
  });
});

const ranges = fc
  .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: mostDays - 1 }))
  .map(([start, length]) => {
    const from = daysAfter("2023-01-01", start);
    return { from, to: daysAfter(from, length) };
  });

describe("a requested range of days", () => {
  test("is divided into periods that contain each day once", () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(...Granularity.options), (range, granularity) => {
        expect(splitRange(range, granularity).flatMap(everyDay)).toEqual(everyDay(range));
      }),
    );
  });

  test("is divided into whole months and remaining days that contain each day once", () => {
    const daysOf = ({ from, to }: { from: string; to: string }) =>
      from.length === 10
        ? everyDay({ from, to })
        : everyDay({ from: "2022-12-01", to: "2033-12-31" }).filter(
            (each) => each.slice(0, 7) >= from && each.slice(0, 7) <= to,
          );
    fc.assert(
      fc.property(ranges, (range) => {
        expect(spansOf(range).flatMap(daysOf)).toEqual(everyDay(range));
      }),
      { numRuns: 30 },
    );
  });

  test("has a preceding range of the same length", () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const before = rangeBefore(range);
        expect(daysAfter(before.to, 1)).toBe(range.from);
        expect(everyDay(before)).toHaveLength(everyDay(range).length);
      }),
    );
  });

  test("defaults to the last thirty days", () => {
    expect(requestedRange({}, "2026-11-21")).toEqual({
      ok: true,
      range: { from: "2026-10-23", to: "2026-11-21" },
    });
    expect(requestedRange({ from: "2026-12-01" }, "2026-11-21")).toMatchObject({
      range: { from: "2026-12-01", to: "2026-12-01" },
    });
  });

  test("may have exactly the maximum length that the error message names", () => {
    const of = (days: number) =>
      requestedRange({ from: daysAfter("2026-11-21", -days), to: "2026-11-21" }, "2026-11-21");
    expect(of(399).ok).toBe(true);
    expect(of(400)).toMatchObject({
      path: "from",
      message: "The from field must be at most 399 days before the to field.",
    });
  });
});
