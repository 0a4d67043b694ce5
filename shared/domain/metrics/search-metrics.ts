import * as z from "zod";
import { Day } from "../base/text.ts";
import { bpsOf } from "./insights.ts";
import type { CountableEvent } from "./event-metrics.ts";

export const SearchMetrics = z.object({
  searches: z.int(),
  without_results: z.int().meta({ description: "Searches that had no results" }),
  clicks: z.int().meta({ description: "Items viewed from the results" }),
});
export type SearchMetrics = z.output<typeof SearchMetrics>;

/** The searches of one day, for the queries of one shard. */
export const SearchDay = z.object({
  day: Day,
  queries: z.array(
    SearchMetrics.extend({
      query: z.string(),
      /** The rank that the query took over when it displaced another. */
      inherited: z.int(),
    }),
  ),
  /** The sum of all queries without an entry. */
  others: SearchMetrics,
  version: z.int().min(1),
});
export type SearchDay = z.output<typeof SearchDay>;
type Counted = SearchDay["queries"][number];

/** Maximum number of queries with an entry in a row. */
export const mostQueries = 160;

const nothing: SearchMetrics = { searches: 0, without_results: 0, clicks: 0 };
export const noSearches = (day: Day): Omit<SearchDay, "version"> => ({
  day,
  queries: [],
  others: nothing,
});

/** An event of a search, or of an item that was viewed from its results. */
export type SearchEvent = Pick<CountableEvent, "search" | "search_query">;

/** The query that the event is about; null if it is about none. */
export const queryOf = ({ search, search_query }: SearchEvent): string | null =>
  search?.query ?? search_query;

/**
 * Adds events to a day's searches.
 *
 * A full row keeps its most frequent queries by the Space-Saving algorithm (Metwally, Agrawal, El Abbadi, 2005): a new
 * query displaces the one with the lowest rank, inherits its rank, and is counted from then on. The metrics of the
 * displaced query join `others`, so all sums stay exact. A query with more than 1/160 of the row's searches always has
 * an entry, however many other queries occur.
 */
export function withSearches(
  before: Omit<SearchDay, "version">,
  events: readonly SearchEvent[],
): Omit<SearchDay, "version"> {
  const queries = new Map(before.queries.map((counted) => [counted.query, counted]));
  let others = before.others;
  for (const event of events) {
    const query = queryOf(event);
    if (query === null) continue;
    const metrics = metricsOf(event);
    const known = queries.get(query);
    if (known || queries.size < mostQueries) {
      const counted = known ?? { query, inherited: 0, ...nothing };
      queries.set(query, { ...counted, ...sumOf([counted, metrics]) });
    } else if (event.search) {
      const displaced = [...queries.values()].reduce((least, other) =>
        rankOf(other) < rankOf(least) ? other : least,
      );
      queries.delete(displaced.query);
      others = sumOf([others, displaced]);
      queries.set(query, { query, inherited: rankOf(displaced), ...metrics });
    } else {
      others = sumOf([others, metrics]);
    }
  }
  return { day: before.day, queries: [...queries.values()], others };
}

const rankOf = ({ searches, inherited }: Counted): number => searches + inherited;

const metricsOf = ({ search }: SearchEvent): SearchMetrics =>
  search
    ? { searches: 1, without_results: search.results === 0 ? 1 : 0, clicks: 0 }
    : { ...nothing, clicks: 1 };

const sumOf = (parts: readonly SearchMetrics[]): SearchMetrics =>
  parts.reduce<SearchMetrics>(
    (sum, { searches, without_results, clicks }) => ({
      searches: sum.searches + searches,
      without_results: sum.without_results + without_results,
      clicks: sum.clicks + clicks,
    }),
    nothing,
  );

/** The sum over all queries. */
export const allSearches = (days: readonly SearchDay[]): SearchMetrics =>
  sumOf(days.flatMap(({ queries, others }) => [...queries, others]));

export const QueryMetrics = SearchMetrics.extend({
  query: z.string(),
  clicks_per_search_bps: z.int(),
});
export type QueryMetrics = z.output<typeof QueryMetrics>;

/** Maximum number of queries in each list of a report. */
export const mostListedQueries = 50;

export interface SearchReport {
  /** The most frequent queries. */
  queries: QueryMetrics[];
  /** The queries with the most searches without results. */
  without_results: QueryMetrics[];
  /** The most frequent queries that had results and no click. */
  without_clicks: QueryMetrics[];
  /** The sum of all queries that are not in `queries`. */
  others: SearchMetrics;
}

/** The queries of several days, the most frequent first. */
export function searchReport(days: readonly SearchDay[]): SearchReport {
  const byQuery = Map.groupBy(
    days.flatMap(({ queries }) => queries),
    ({ query }) => query,
  );
  const all = Array.from(byQuery, ([query, counted]): QueryMetrics => {
    const sum = sumOf(counted);
    return { query, ...sum, clicks_per_search_bps: bpsOf(sum.clicks, sum.searches) };
  });
  const searched = all
    .filter(({ searches }) => searches > 0)
    .toSorted((one, other) => other.searches - one.searches || (one.query < other.query ? -1 : 1));
  const listed = (queries: QueryMetrics[]) => queries.slice(0, mostListedQueries);
  return {
    queries: listed(searched),
    without_results: listed(
      searched
        .filter(({ without_results }) => without_results > 0)
        .toSorted((one, other) => other.without_results - one.without_results),
    ),
    without_clicks: listed(
      searched.filter(
        ({ searches, without_results, clicks }) => clicks === 0 && searches > without_results,
      ),
    ),
    others: sumOf([
      ...searched.slice(mostListedQueries),
      ...all.filter(({ searches }) => searches === 0),
      ...days.map(({ others }) => others),
    ]),
  };
}
