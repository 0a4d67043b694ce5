import * as z from "zod";
import {
  type Metrics,
  type Period,
  type ReturnDivision,
  type SaleDivision,
  namesIn,
} from "./metrics.ts";
import { ReturnItem } from "../order/returns/order-return.ts";
import { DayRange, type Granularity, splitRange } from "./insight-range.ts";
import { roundHalfEven } from "../base/money.ts";

/** Metrics of each day or month in which something was counted. */
export type MetricsByPeriod = ReadonlyMap<Period, Metrics>;

/** Reads a metric by name; 0 if it was never counted. */
export type MetricOf = (name: string) => number;

/** The sums of all metrics over the days of a range. */
export function sumOver(rows: MetricsByPeriod, range: DayRange): MetricOf {
  const sums = sumsOver(rows, range);
  return (name) => sums.get(name) ?? 0;
}

function sumsOver(rows: MetricsByPeriod, { from, to }: DayRange): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [day, metrics] of rows) {
    if (day < from || day > to) continue;
    for (const [name, by] of Object.entries(metrics)) sums.set(name, (sums.get(name) ?? 0) + by);
  }
  return sums;
}

/** A step of a funnel, and the number of times it was reached. */
export const FunnelStep = z.object({ step: z.string(), count: z.int() });

/** A point for each part of a range, also for parts without metrics. */
export const seriesOf = <Point extends object>(
  range: DayRange,
  granularity: Granularity,
  point: (part: DayRange) => Point,
): (DayRange & Point)[] =>
  splitRange(range, granularity).map((part) => ({ ...part, ...point(part) }));

/** A share in basis points; 0 if the whole is not positive. */
export const bpsOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : roundHalfEven(BigInt(part) * 10_000n, BigInt(whole));

const averageOf = (sum: number, count: number): number =>
  count <= 0 ? 0 : roundHalfEven(sum, count);

const Count = z.int();
const Amount = z.int().meta({ description: "In minor units" });
const Share = z.int().meta({ description: "Basis points" });

export const SalesMetrics = z
  .object({
    orders: Count.meta({
      description: "Orders placed in the period that are confirmed and not cancelled",
    }),
    revenue: Amount.meta({ description: "Sum of the grand totals of `orders`" }),
    average_order: Amount,
    units: Count,
    discount: Amount,
    tax: Amount,
    shipping: Amount,
    refunded: Amount.meta({
      description: "Refunds made in the period, of confirmed orders that are not cancelled",
    }),
    changes_added: Amount.meta({
      description: "What changes in the period added to sold orders; `revenue` stays",
    }),
    changes_lowered: Amount.meta({
      description: "What changes in the period took off sold orders",
    }),
    cancelled: Count.meta({ description: "Orders placed in the period that are now cancelled" }),
    cancelled_amount: Amount,
    received: Amount.meta({
      description: "Money received in the period, for any order, before refunds",
    }),
    refunds_paid: Amount.meta({
      description:
        "Refunds made in the period, for any order, also for cancelled ones. `received` less this is the net amount",
    }),
    deposits_held: Amount.meta({
      description: "Deposits paid in the period for orders that are not dispatched yet",
    }),
    balances_due: Amount.meta({
      description: "What is still to be paid for orders whose deposit was paid in the period",
    }),
    returned: Count.meta({ description: "Those of `units` that came back by a return" }),
    returned_bps: Share.meta({ description: "The share of `units` that came back" }),
  })
  .meta({ id: "SalesMetrics" });
export type SalesMetrics = z.output<typeof SalesMetrics>;

export const salesMetrics = (sales: MetricOf): SalesMetrics => ({
  orders: sales("orders"),
  revenue: sales("revenue"),
  average_order: averageOf(sales("revenue"), sales("orders")),
  units: sales("units"),
  discount: sales("discount"),
  tax: sales("tax"),
  shipping: sales("shipping"),
  refunded: sales("refunded"),
  changes_added: sales("changes_added"),
  changes_lowered: sales("changes_lowered"),
  cancelled: sales("cancelled"),
  cancelled_amount: sales("cancelled_amount"),
  received: sales("received"),
  refunds_paid: sales("refunds_paid"),
  deposits_held: sales("deposits_held"),
  balances_due: sales("balances_due"),
  returned: sales("returned"),
  returned_bps: bpsOf(sales("returned"), sales("units")),
});

export const SalesPart = SalesMetrics.pick({ orders: true, revenue: true });

/** The sales of a range by channel, location or seller, the highest revenue first. */
export function salesBy(
  by: SaleDivision,
  rows: MetricsByPeriod,
  range: DayRange,
): (z.output<typeof SalesPart> & { readonly name: string })[] {
  const sums = Object.fromEntries(sumsOver(rows, range));
  const revenues = new Map(namesIn(sums, `${by}Revenue`));
  return namesIn(sums, `${by}Orders`)
    .filter(([, orders]) => orders > 0)
    .map(([name, orders]) => ({ name, orders, revenue: revenues.get(name) ?? 0 }))
    .toSorted((one, other) => other.revenue - one.revenue || one.name.localeCompare(other.name));
}

const { fault: Fault } = ReturnItem.shape;
const ReturnedPart = z.object({ returned: Count, returned_bps: Share });

/** The units sold in a period that came back, each also as a share of all units sold. */
export const ReturnedUnits = z.object({
  by_reason: z.array(ReturnedPart.extend({ reason: z.string() })),
  by_fault: z.array(ReturnedPart.extend({ fault: Fault })),
});

/** The sold units of a range that came back, by reason and fault, the most frequent first. */
export function returnedUnits(
  rows: MetricsByPeriod,
  range: DayRange,
): z.output<typeof ReturnedUnits> {
  const sums = sumsOver(rows, range);
  const parts = (by: ReturnDivision) =>
    namesIn(Object.fromEntries(sums), by)
      .filter(([, returned]) => returned > 0)
      .toSorted(([one, first], [other, second]) => second - first || one.localeCompare(other))
      .map(([name, returned]) => ({
        name,
        returned,
        returned_bps: bpsOf(returned, sums.get("units") ?? 0),
      }));
  return {
    by_reason: parts("returnedFor").map(({ name, ...part }) => ({ reason: name, ...part })),
    by_fault: parts("returnedBy").map(({ name, ...part }) => ({
      fault: Fault.parse(name),
      ...part,
    })),
  };
}

export const TrafficMetrics = z
  .object({
    sessions: Count.meta({ description: "A session is counted once per day" }),
    page_views: Count,
    product_views: Count,
    carts: Count.meta({ description: "Sessions that added an item to a cart" }),
    checkouts: Count.meta({ description: "Sessions that started a checkout" }),
  })
  .meta({ id: "TrafficMetrics" });
export type TrafficMetrics = z.output<typeof TrafficMetrics>;

export const trafficMetrics = (events: MetricOf): TrafficMetrics => ({
  sessions: events("sessions"),
  page_views: events("page_view"),
  product_views: events("view_item"),
  carts: events("reached_add_to_cart"),
  checkouts: events("reached_begin_checkout"),
});

/** How well the shop keeps to the delivery slots. */
export const SlotMetrics = z.object({
  slot_deliveries: Count.meta({
    description: "Deliveries in the period whose day the buyer or the shop had chosen",
  }),
  slot_deliveries_on_day: Count.meta({
    description: "Those of `slot_deliveries` that arrived on the promised day",
  }),
  on_day_bps: Share.nullable().meta({
    description: "The share of them, in basis points; null without deliveries",
  }),
});
export type SlotMetrics = z.output<typeof SlotMetrics>;

export function slotMetrics(sales: MetricOf): SlotMetrics {
  const [all, onDay] = [sales("slot_deliveries"), sales("slot_deliveries_on_day")];
  return {
    slot_deliveries: all,
    slot_deliveries_on_day: onDay,
    on_day_bps: all > 0 ? bpsOf(onDay, all) : null,
  };
}

export const OverviewMetrics = TrafficMetrics.and(SalesMetrics)
  .and(
    z.object({
      ...SlotMetrics.shape,
      leads: Count,
      conversion_bps: Share.meta({ description: "Orders per session, in basis points" }),
    }),
  )
  .meta({ id: "OverviewMetrics" });

export const overviewMetrics = (of: {
  events: MetricOf;
  sales: MetricOf;
  leads: MetricOf;
}): z.output<typeof OverviewMetrics> => ({
  ...trafficMetrics(of.events),
  ...salesMetrics(of.sales),
  ...slotMetrics(of.sales),
  leads: of.leads("leads"),
  conversion_bps: bpsOf(of.sales("orders"), of.events("sessions")),
});

export const MessagingMetrics = z
  .object({
    received: Count,
    written: Count,
    conversations: Count.meta({ description: "Conversations started in the period" }),
    delivered: Count,
    read: Count,
    failed: Count,
    answers: Count.meta({ description: "Staff messages to a customer who was waiting" }),
    average_answer_seconds: z.int().nullable(),
  })
  .meta({ id: "MessagingMetrics" });

export const messagingMetrics = (messages: MetricOf): z.output<typeof MessagingMetrics> => ({
  received: messages("received"),
  written: messages("written"),
  conversations: messages("conversations"),
  delivered: messages("state_delivered") + messages("state_read"),
  read: messages("state_read"),
  failed: messages("state_failed"),
  answers: messages("responses"),
  average_answer_seconds:
    messages("responses") === 0
      ? null
      : averageOf(messages("response_seconds"), messages("responses")),
});

/** The metrics of a period, those of the previous period, and a series over the period. */
export const comparedWith = <Schema extends z.ZodType>(metrics: Schema) => ({
  ...DayRange.shape,
  previous: DayRange,
  totals: metrics,
  previous_totals: metrics,
  series: z.array(DayRange.and(metrics)),
});
