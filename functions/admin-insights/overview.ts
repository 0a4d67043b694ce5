import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import type { DayRange } from "#shared/domain/metrics/insight-range.ts";
import {
  type MetricsByPeriod,
  OverviewMetrics,
  ReturnedUnits,
  SalesPart,
  comparedWith,
  overviewMetrics,
  returnedUnits,
  salesBy,
  sumOver,
} from "#shared/domain/metrics/insights.ts";
import { SalesChannel } from "#shared/domain/base/sales-channel.ts";
import { StaffName } from "#shared/domain/enquiry/enquiry.ts";
import { staffNames } from "#shared/storage/enquiry/enquiries.ts";
import { Currency } from "#shared/domain/base/money.ts";
import { route, staff } from "#shared/http/route.ts";
import {
  PeriodQuery,
  type RequestedPeriod,
  requestedPeriod,
  compared,
  readBoth,
} from "./requested-period.ts";

export const showOverview = route({
  method: "GET",
  path: "/admin/analytics/overview",
  summary: "Get visits, sales, deliveries and leads for a period",
  description:
    "Compares the period with the preceding one. Sales metrics are computed from orders and " +
    "follow their changes: a cancelled order no longer counts on the day it was placed. " +
    "`returns` has `returned` by reason and fault.",
  access: staff("analytics.view"),
  request: { query: PeriodQuery },
  response: {
    status: 200,
    data: z.object({
      currency: Currency,
      ...comparedWith(OverviewMetrics),
      channels: z.array(SalesPart.extend({ channel: SalesChannel })),
      locations: z.array(SalesPart.extend({ location: z.string() })).meta({
        description: "Sales at a location; the others have none",
      }),
      sellers: z.array(SalesPart.extend({ seller: StaffName })).meta({
        description: "Sales by staff; the others were placed by their buyers",
      }),
      returns: ReturnedUnits,
    }),
  },
  async handle(call, shop: Shop<"table" | "settings", "store">) {
    const period = await requestedPeriod(call, shop);
    const [events, sales, leads] = await Promise.all([
      readBoth(shop.table, "events", period),
      readBoth(shop.table, "sales", period),
      readBoth(shop.table, "leads", period),
    ]);
    const metrics = compared(period, metricsIn({ events, sales, leads }));
    const divisions = await divided(sales, period, shop);
    const returns = returnedUnits(sales, period.range);
    return { data: { currency: period.currency, ...metrics, ...divisions, returns } };
  },
});

/** Returns a function that computes the metrics of a range from the daily metrics of each topic. */
const metricsIn =
  (days: Readonly<Record<"events" | "sales" | "leads", MetricsByPeriod>>) => (range: DayRange) =>
    overviewMetrics({
      events: sumOver(days.events, range),
      sales: sumOver(days.sales, range),
      leads: sumOver(days.leads, range),
    });

/** The sales of the period by channel, location and seller. */
async function divided(
  sales: MetricsByPeriod,
  { range }: Pick<RequestedPeriod, "range">,
  { table }: Shop<"table">,
) {
  const sellers = salesBy("seller", sales, range);
  const named = await staffNames(
    table,
    sellers.map(({ name }) => name),
  );
  return {
    channels: salesBy("channel", sales, range).map(({ name, ...part }) => ({
      channel: SalesChannel.parse(name),
      ...part,
    })),
    locations: salesBy("location", sales, range).map(({ name, ...part }) => ({
      location: name,
      ...part,
    })),
    sellers: sellers.map(({ name, ...part }) => ({ seller: named(name), ...part })),
  };
}

export const routes = [showOverview];
