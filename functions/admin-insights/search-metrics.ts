import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  QueryMetrics,
  SearchMetrics,
  allSearches,
  mostListedQueries,
  searchReport,
} from "#shared/domain/metrics/search-metrics.ts";
import { DayRange } from "#shared/domain/metrics/insight-range.ts";
import { seriesOf } from "#shared/domain/metrics/insights.ts";
import { Day } from "#shared/domain/base/text.ts";
import { route, staff } from "#shared/http/route.ts";
import { readSearches } from "#shared/storage/metrics/search-days.ts";
import { PeriodQuery, requestedPeriod } from "./requested-period.ts";

/** Queries are stored by day only, so a long range would read many rows. */
const mostDays = 92;

const Queries = z.array(QueryMetrics);

const SearchesView = z.object({
  ...DayRange.shape,
  totals: SearchMetrics,
  series: z.array(SearchMetrics.extend(DayRange.shape)),
  queries: Queries.meta({ description: "The most frequent queries" }),
  without_results: Queries.meta({ description: "By the number of searches without results" }),
  without_clicks: Queries.meta({ description: "Queries that had results, but no click" }),
  others: SearchMetrics,
});

export const showSearches = route({
  method: "GET",
  path: "/admin/analytics/search",
  summary: "Get the queries that visitors search for",
  description:
    `Counts the events \`search\`, and \`view_item\` with a \`search_query\`. Each list has up to ${mostListedQueries} ` +
    "queries; `others` sums all that are not in `queries`. About 1,000 queries are kept for each day.",
  access: staff("analytics.view"),
  request: {
    query: PeriodQuery.extend({
      from: Day.optional().meta({
        description: `First day, at most ${mostDays - 1} days before \`to\`. Default: 29 days before \`to\``,
      }),
    }),
  },
  response: { status: 200, data: SearchesView },
  async handle(call, { table, settings }: Shop<"table" | "settings", "store">) {
    const { range, granularity } = await requestedPeriod(call, { settings }, mostDays);
    const days = await readSearches(table, range);
    return {
      data: {
        ...range,
        totals: allSearches(days),
        series: seriesOf(range, granularity, ({ from, to }) =>
          allSearches(days.filter(({ day }) => day >= from && day <= to)),
        ),
        ...searchReport(days),
      },
    };
  },
});

export const routes = [showSearches];
