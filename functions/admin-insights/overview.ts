import * as z from "zod";
import type { DayRange } from "#shared/domain/metrics/insight-range.ts";
import { OverviewMetrics, comparedWith, overviewMetrics } from "#shared/domain/metrics/insights.ts";
import { Currency } from "#shared/domain/base/money.ts";
import { route, staff } from "#shared/http/route.ts";
import { PeriodQuery, requestedPeriod, compared, readBoth, summing } from "./requested-period.ts";
import type { Deps } from "./deps.ts";

export const showOverview = route({
  method: "GET",
  path: "/admin/analytics/overview",
  summary: "Get visits, sales, deliveries and leads for a period",
  description:
    "Compares the period with the preceding one. Sales metrics are computed from orders and " +
    "follow their changes: a cancelled order no longer counts on the day it was placed.",
  access: staff("analytics.view"),
  request: { query: PeriodQuery },
  response: {
    status: 200,
    data: z.object({ currency: Currency, ...comparedWith(OverviewMetrics) }),
  },
  async handle(call, deps: Deps) {
    const period = await requestedPeriod(call, deps);
    const [events, sales, leads] = await Promise.all([
      readBoth(deps.table, "events", period),
      readBoth(deps.table, "sales", period),
      readBoth(deps.table, "leads", period),
    ]);
    const of = { events: summing(events), sales: summing(sales), leads: summing(leads) };
    const metricsOf = (range: DayRange) =>
      overviewMetrics({
        events: of.events(range),
        sales: of.sales(range),
        leads: of.leads(range),
      });
    return { data: { currency: period.currency, ...compared(period, metricsOf) } };
  },
});

export const routes = [showOverview];
