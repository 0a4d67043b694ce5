import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { AnalyticsEventName } from "#shared/domain/metrics/analytics-event.ts";
import { type Metrics, type NamedMetric, namesIn } from "#shared/domain/metrics/metrics.ts";
import {
  type MetricOf,
  TrafficMetrics,
  comparedWith,
  sumOver,
  trafficMetrics,
  FunnelStep,
} from "#shared/domain/metrics/insights.ts";
import { Currency } from "#shared/domain/base/money.ts";
import { route, staff } from "#shared/http/route.ts";
import {
  PeriodQuery,
  requestedPeriod,
  compared,
  readBoth,
  readSums,
  summing,
} from "./requested-period.ts";

const mostListed = 20;
const others = { description: "null in the entry that sums all others" };

const TrafficView = z.object({
  currency: Currency,
  ...comparedWith(TrafficMetrics),
  events: z.array(
    z.object({
      name: AnalyticsEventName,
      count: z.int(),
      value: z.int().meta({ description: "As reported by clients, in minor units" }),
    }),
  ),
  funnel: z
    .array(FunnelStep)
    .meta({ description: "Sessions that reached the step; the last step counts orders" }),
  sources: z.array(z.object({ source: z.string().nullable().meta(others), sessions: z.int() })),
  landing_pages: z.array(z.object({ path: z.string().nullable().meta(others), sessions: z.int() })),
  pages: z.array(z.object({ path: z.string().nullable().meta(others), views: z.int() })),
});

export const showTraffic = route({
  method: "GET",
  path: "/admin/analytics/traffic",
  summary: "Get visits for a period, by source and page",
  description: "Includes the preceding period of equal length.",
  access: staff("analytics.view"),
  request: { query: PeriodQuery },
  response: { status: 200, data: TrafficView },
  async handle(call, shop: Shop<"table" | "settings", "store">) {
    const period = await requestedPeriod(call, shop);
    const [events, sales, traffic] = await Promise.all([
      readBoth(shop.table, "events", period),
      readBoth(shop.table, "sales", period),
      readSums(shop.table, "traffic", period.range),
    ]);
    const metrics = compared(period, (range) => trafficMetrics(summing(events)(range)));
    return {
      data: {
        currency: period.currency,
        ...metrics,
        ...eventsAndFunnel(sumOver(events, period.range), sumOver(sales, period.range)),
        ...listsOf(traffic),
      },
    };
  },
});

const listsOf = (traffic: Metrics) => ({
  sources: largest(traffic, "source").map(([source, sessions]) => ({ source, sessions })),
  landing_pages: largest(traffic, "landing").map(([path, sessions]) => ({ path, sessions })),
  pages: largest(traffic, "page").map(([path, views]) => ({ path, views })),
});

const eventsAndFunnel = (events: MetricOf, sales: MetricOf) => ({
  events: AnalyticsEventName.options.map((name) => ({
    name,
    count: events(name),
    value: events(`${name}_value`),
  })),
  funnel: [
    { step: "sessions", count: events("sessions") },
    ...(["view_item", "add_to_cart", "begin_checkout"] as const).map((step) => ({
      step,
      count: events(`reached_${step}`),
    })),
    { step: "orders", count: sales("orders") },
  ],
});

/** The largest metrics of a kind by name, then the sum of all others with the name null. */
function largest(sums: Metrics, kind: NamedMetric): [name: string | null, metric: number][] {
  const all = namesIn(sums, kind).toSorted(([, one], [, other]) => other - one);
  const named = all.filter(([name]) => name !== "");
  const rest = [...named.slice(mostListed), ...all.filter(([name]) => name === "")];
  const other = rest.reduce((sum, [, metric]) => sum + metric, 0);
  const others: [null, number][] = other > 0 ? [[null, other]] : [];
  return [...named.slice(0, mostListed), ...others];
}

export const routes = [showTraffic];
