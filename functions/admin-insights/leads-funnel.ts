import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  type MetricOf,
  bpsOf,
  comparedWith,
  sumOver,
  FunnelStep,
} from "#shared/domain/metrics/insights.ts";
import { LeadStatus, LeadType } from "#shared/domain/enquiry/lead.ts";
import { QuoteStatus } from "#shared/domain/enquiry/quote.ts";
import { route, staff } from "#shared/http/route.ts";
import { PeriodQuery, requestedPeriod, compared, readBoth, summing } from "./requested-period.ts";

const LeadMetrics = z
  .object({
    leads: z.int(),
    quotes: z.int(),
    won: z.int().meta({ description: "Leads of the period whose status is now `won`" }),
    win_rate_bps: z.int(),
  })
  .meta({ id: "LeadMetrics" });

const leadMetrics = (leads: MetricOf): z.output<typeof LeadMetrics> => ({
  leads: leads("leads"),
  quotes: leads("quotes"),
  won: leads("status_won"),
  win_rate_bps: bpsOf(leads("status_won"), leads("leads")),
});

const LeadsView = z.object({
  ...comparedWith(LeadMetrics),
  by_type: z.array(z.object({ type: LeadType, count: z.int() })),
  by_status: z.array(z.object({ status: LeadStatus, count: z.int() })),
  quotes_by_status: z.array(z.object({ status: QuoteStatus, count: z.int() })),
  funnel: z.array(FunnelStep).meta({
    description:
      "Counts per step: sessions, sessions with a WhatsApp click, leads, then leads " +
      "whose current status is `contacted` or later, `qualified` or later, `quoted` or " +
      "later, and `won`. The steps after `leads` leave out lost and spam leads.",
  }),
});

export const showLeadsFunnel = route({
  method: "GET",
  path: "/admin/analytics/leads-funnel",
  summary: "Get lead and quote metrics for a period",
  description: "Includes the preceding period of equal length.",
  access: staff("analytics.view"),
  request: { query: PeriodQuery },
  response: { status: 200, data: LeadsView },
  async handle(call, shop: Shop<"table" | "settings", "store">) {
    const period = await requestedPeriod(call, shop);
    const [events, rows] = await Promise.all([
      readBoth(shop.table, "events", period),
      readBoth(shop.table, "leads", period),
    ]);
    const leads = sumOver(rows, period.range);
    const counts = countsOf(leads);
    const funnel = funnelOf(sumOver(events, period.range), leads);
    const metrics = compared(period, (range) => leadMetrics(summing(rows)(range)));
    return { data: { ...metrics, ...counts, funnel } };
  },
});

const countsOf = (leads: MetricOf) => ({
  by_type: LeadType.options.map((type) => ({ type, count: leads(`type_${type}`) })),
  by_status: LeadStatus.options.map((status) => ({ status, count: leads(`status_${status}`) })),
  quotes_by_status: QuoteStatus.options.map((status) => ({
    status,
    count: leads(`quote_${status}`),
  })),
});

const steps = ["contacted", "qualified", "quoted", "won"] as const;

const funnelOf = (events: MetricOf, leads: MetricOf) => [
  { step: "sessions", count: events("sessions") },
  { step: "whatsapp_click", count: events("reached_whatsapp_click") },
  { step: "leads", count: leads("leads") },
  ...steps.map((step, position) => ({
    step,
    count: steps.slice(position).reduce((sum, status) => sum + leads(`status_${status}`), 0),
  })),
];

export const routes = [showLeadsFunnel];
