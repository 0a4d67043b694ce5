import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedQuery } from "#shared/domain/metrics/analytics-event.ts";
import {
  type SearchDay,
  type SearchEvent,
  allSearches,
  mostQueries,
  noSearches,
  searchReport,
  withSearches,
} from "#shared/domain/metrics/search-metrics.ts";

const day = "2026-11-21";
const search = (query: string, results = 3): SearchEvent => ({
  search: { query, results },
  search_query: null,
});
const click = (query: string): SearchEvent => ({ search: null, search_query: query });
const counted = (events: readonly SearchEvent[]): SearchDay => ({
  ...withSearches(noSearches(day), events),
  version: 1,
});

describe("the query that is counted for a search", () => {
  test.each([
    ["  Grey   SOFA! ", "grey sofa"],
    ["three-seater", "three seater"],
    ["Crème chaise", "creme chaise"],
    ["asha@example.com sofa", "* sofa"],
    ["asha @ example.com", "*"],
    ["sofa for 98450 12345", "sofa for *"],
    ["+91 (984) 501-2345", "*"],
    ["delivery 560001", "delivery *"],
    ["bed 72 x 78", "bed 72 x 78"],
    ["desk 1200 mm", "desk 1200 mm"],
    ["***", null],
    ["?!", null],
  ])("of %j is %j", (text, query) => {
    expect(countedQuery(text)).toBe(query);
  });

  test("has at most 80 characters and no number of six digits, and is counted as itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const query = countedQuery(text) ?? "";
        expect(Array.from(query).length).toBeLessThanOrEqual(80);
        expect(query).not.toMatch(/@|\p{Nd}{6}/u);
        expect(query).toBe(query.trim());
      }),
    );
  });
});

const events = fc.array(
  fc.oneof(
    fc
      .record({ query: fc.nat(400), results: fc.nat(1) })
      .map(({ query, results }) => search(`query ${query}`, results)),
    fc.nat(400).map((query) => click(`query ${query}`)),
  ),
  { maxLength: 600, size: "max" },
);

describe("the searches of a day", () => {
  test("have exact sums and a limited number of queries, for any division of the events into batches", () => {
    fc.assert(
      fc.property(events, fc.nat(600), (all, cut) => {
        const whole = counted(all);
        expect(withSearches(counted(all.slice(0, cut)), all.slice(cut))).toEqual({
          day,
          queries: whole.queries,
          others: whole.others,
        });
        expect(whole.queries.length).toBeLessThanOrEqual(mostQueries);
        expect(allSearches([whole])).toEqual({
          searches: all.filter((event) => event.search).length,
          without_results: all.filter((event) => event.search?.results === 0).length,
          clicks: all.filter((event) => event.search_query).length,
        });
      }),
      { numRuns: 50 },
    );
  });

  test("keep a frequent query, however many distinct queries occur before, between and after its searches", () => {
    const distinct = (from: number) =>
      Array.from({ length: 2_000 }, (_, number) => search(`noise ${from + number}`));
    // One search in a hundred is for the sofa.
    const flood = distinct(0).concat(
      distinct(2_000).flatMap((noise, at) => (at % 100 === 0 ? [search("sofa"), noise] : [noise])),
      Array.from({ length: 40 }, () => search("sofa")),
      distinct(4_000),
    );
    const { queries } = counted(flood);
    expect(queries).toHaveLength(mostQueries);
    expect(queries.find(({ query }) => query === "sofa")?.searches).toBeGreaterThanOrEqual(40);
    expect(JSON.stringify(queries).length).toBeLessThan(40_000);
  });

  test("count clicks for queries without an entry among the others once the row is full", () => {
    const full = Array.from({ length: mostQueries }, (_, number) => search(`query ${number}`));
    const { queries, others } = counted([...full, click("unknown"), click("query 7")]);
    expect(others).toEqual({ searches: 0, without_results: 0, clicks: 1 });
    expect(queries.find(({ query }) => query === "query 7")?.clicks).toBe(1);
    expect(queries).toHaveLength(mostQueries);
  });
});

describe("the report of searches", () => {
  test("sums the days, and lists queries by searches, without results and without clicks", () => {
    const monday = counted([search("sofa"), search("sofa"), click("sofa"), search("bunk bed", 0)]);
    const tuesday = counted([search("bunk bed", 0), search("rug"), search("sofa"), click("lamp")]);
    const metrics = (query: string, searches: number, without_results: number, clicks: number) => ({
      query,
      searches,
      without_results,
      clicks,
      clicks_per_search_bps: Math.round((clicks * 10_000) / searches),
    });
    const [sofa, bunk, rug] = [
      metrics("sofa", 3, 0, 1),
      metrics("bunk bed", 2, 2, 0),
      metrics("rug", 1, 0, 0),
    ];
    expect(searchReport([monday, tuesday])).toEqual({
      queries: [sofa, bunk, rug],
      without_results: [bunk],
      without_clicks: [rug],
      others: { searches: 0, without_results: 0, clicks: 1 },
    });
  });

  test("lists fifty queries and sums all others", () => {
    const all = Array.from({ length: 60 }, (_, number) => search(`query ${number}`, 0));
    const { queries, without_results, others } = searchReport([counted(all)]);
    expect([queries.length, without_results.length]).toEqual([50, 50]);
    expect(others).toEqual({ searches: 10, without_results: 10, clicks: 0 });
  });
});
