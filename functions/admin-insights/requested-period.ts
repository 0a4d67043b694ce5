import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import type { MetricTopic, Metrics } from "#shared/domain/metrics/metrics.ts";
import {
  type DayRange,
  Granularity,
  requestedRange,
  mostDays,
  rangeBefore,
  spansOf,
  usualDays,
} from "#shared/domain/metrics/insight-range.ts";
import {
  type MetricOf,
  type MetricsByPeriod,
  seriesOf,
  sumOver,
} from "#shared/domain/metrics/insights.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { Day } from "#shared/domain/base/text.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { readMetrics } from "#shared/storage/metrics/metrics.ts";
import type { Table } from "#shared/storage/table.ts";

export const PeriodQuery = z.strictObject({
  from: Day.optional().meta({
    description:
      `First day, in the store's timezone, at most ${mostDays - 1} days before \`to\`. Default: ` +
      `${usualDays - 1} days before \`to\``,
  }),
  to: Day.optional().meta({ description: "Last day. Default: today" }),
  granularity: Granularity.default("day").meta({
    description: "Interval of the series; weeks start on Monday",
  }),
});

export interface RequestedPeriod {
  readonly range: DayRange;
  readonly previous: DayRange;
  readonly granularity: Granularity;
  readonly currency: string;
}

interface PeriodCall {
  readonly query: z.output<typeof PeriodQuery>;
  readonly now: Date;
}

/**
 * @param most maximum number of days
 * @throws AppError `validation_failed` when the period is empty or too long
 */
export async function requestedPeriod(
  { query, now }: PeriodCall,
  { settings }: Shop<"settings", "store">,
  most = mostDays,
): Promise<RequestedPeriod> {
  const { store } = await settings.current();
  const parsed = requestedRange(query, dayIn(store.timezone, now), most);
  if (!parsed.ok) throw invalidField(parsed.path, parsed.message);
  return {
    range: parsed.range,
    previous: rangeBefore(parsed.range),
    granularity: query.granularity,
    currency: store.currency,
  };
}

/** The daily metrics of the period and of the preceding period. */
export const readBoth = (
  table: Table,
  topic: MetricTopic,
  { range, previous }: Pick<RequestedPeriod, "range" | "previous">,
): Promise<MetricsByPeriod> => readMetrics(table, { topic, from: previous.from, to: range.to });

/**
 * Returns each metric of a topic, summed over a range. Whole months are read from monthly counters, so a long range
 * costs little more than a short one.
 */
export async function readSums(
  table: Table,
  topic: "traffic" | "products",
  range: DayRange,
): Promise<Metrics> {
  const spans = await Promise.all(
    spansOf(range).map((span) => readMetrics(table, { topic, ...span })),
  );
  const sums = new Map<string, number>();
  for (const metrics of spans.flatMap((span) => [...span.values()])) {
    for (const [name, by] of Object.entries(metrics)) sums.set(name, (sums.get(name) ?? 0) + by);
  }
  return Object.fromEntries(sums);
}

/** Response members: the totals of a period, the totals of the preceding period, and a series. */
export function compared<Metrics extends object>(
  { range, previous, granularity }: RequestedPeriod,
  metricsOf: (range: DayRange) => Metrics,
) {
  return {
    ...range,
    previous,
    totals: metricsOf(range),
    previous_totals: metricsOf(previous),
    series: seriesOf(range, granularity, metricsOf),
  };
}

/** Returns a function that sums the rows of a range. */
export const summing =
  (rows: MetricsByPeriod) =>
  (range: DayRange): MetricOf =>
    sumOver(rows, range);
