import * as z from "zod";
import type { Metrics } from "#shared/domain/metrics/metrics.ts";
import {
  type DayRange,
  daysAfter,
  lastDays,
  rangeBefore,
} from "#shared/domain/metrics/insight-range.ts";
import {
  type MetricsByPeriod,
  type MetricOf,
  salesMetrics,
  seriesOf,
  sumOver,
  trafficMetrics,
} from "#shared/domain/metrics/insights.ts";
import { ReturnStatus, isOpenReturn } from "#shared/domain/order/returns/order-return.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import type { Day } from "#shared/domain/base/text.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";
import type { Table } from "#shared/storage/table.ts";
import { readBoth } from "./requested-period.ts";

const openStatuses = [
  "pending_payment",
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
] as const satisfies readonly OrderStatus[];

export const OpenOrders = z.object({
  total: z.int(),
  by_status: z.array(z.object({ status: z.enum(openStatuses), count: z.int() })),
});

export const Owed = z.object({ orders: z.int(), amount: z.int() });
export const UnpaidOrders = Owed.extend({
  by_age: z.array(
    Owed.extend({
      from_days: z.int().meta({ description: "Days since the orders were placed; 0 is today" }),
      to_days: z.int().nullable(),
    }),
  ),
});

function rangesOf(on: Day): Record<"today" | "last_30_days" | "previous_30_days", DayRange> {
  const range = lastDays(on, 30);
  return { today: { from: on, to: on }, last_30_days: range, previous_30_days: rangeBefore(range) };
}

/** Applies `rule` to the sums of today, of the last 30 days and of the 30 days before those. */
function applyToRanges<Metrics>(
  rows: MetricsByPeriod,
  on: Day,
  rule: (metrics: MetricOf) => Metrics,
) {
  const ranges = rangesOf(on);
  return {
    today: rule(sumOver(rows, ranges.today)),
    last_30_days: rule(sumOver(rows, ranges.last_30_days)),
    previous_30_days: rule(sumOver(rows, ranges.previous_30_days)),
  };
}

export const readLast30DaysAndPrevious = (
  table: Table,
  topic: "sales" | "leads" | "events",
  on: Day,
) => {
  const { last_30_days: range, previous_30_days: previous } = rangesOf(on);
  return readBoth(table, topic, { range, previous });
};

/** @param sales reads the daily and monthly sales of the dashboard's ranges */
export async function salesSection(on: Day, sales: () => Promise<MetricsByPeriod>) {
  const rows = await sales();
  return {
    ...applyToRanges(rows, on, salesMetrics),
    by_day: seriesOf(rangesOf(on).last_30_days, "day", (day) => {
      const metrics = sumOver(rows, day);
      return { on: day.from, orders: metrics("orders"), revenue: metrics("revenue") };
    }),
  };
}

/** Age groups of orders in days since they were placed. Each number is the last day of its group. */
const ages = [1, 3, 7, 30];

export async function ordersSection(
  on: Day,
  read: { sales(): Promise<MetricsByPeriod>; current(): Promise<Metrics> },
) {
  const [current, rows] = await Promise.all([read.current(), read.sales()]);
  const by_status = openStatuses.map((status) => ({
    status,
    count: current[`orders_${status}`] ?? 0,
  }));
  const all = { orders: current["unpaid"] ?? 0, amount: current["unpaid_amount"] ?? 0 };
  return {
    open: { total: by_status.reduce((sum, { count }) => sum + count, 0), by_status },
    unpaid: { ...all, by_age: byAge(rows, on, all) },
    deposits_held: owedIn(current, "deposits_held"),
    balances_due: owedIn(current, "balances_due"),
  };
}

const owedIn = (current: Metrics, name: "deposits_held" | "balances_due") => ({
  orders: current[`${name}_orders`] ?? 0,
  amount: current[name] ?? 0,
});

function byAge(rows: MetricsByPeriod, on: Day, all: z.output<typeof Owed>) {
  const groups = ages.map((to_days, position) => {
    const from_days = position === 0 ? 0 : (ages[position - 1] ?? 0) + 1;
    const range = { from: daysAfter(on, -to_days), to: daysAfter(on, -from_days) };
    const metrics = sumOver(rows, range);
    return { from_days, to_days, orders: metrics("unpaid"), amount: metrics("unpaid_amount") };
  });
  const sum = (member: "orders" | "amount") =>
    groups.reduce((total, group) => total + group[member], 0);
  const older = {
    from_days: Math.max(...ages) + 1,
    to_days: null,
    orders: Math.max(0, all.orders - sum("orders")),
    amount: Math.max(0, all.amount - sum("amount")),
  };
  return [...groups, older];
}

const openReturns = ReturnStatus.options.filter(isOpenReturn);

export const OpenReturns = z.object({
  total: z.int().meta({ description: "Returns that still need somebody" }),
  by_status: z.array(z.object({ status: z.enum(openReturns), count: z.int() })),
  to_send_back: z.int().meta({
    description: "Returns whose refused or repaired units are still to go back",
  }),
});

export async function returnsSection(readCurrent: () => Promise<Metrics>) {
  const current = await readCurrent();
  const by_status = openReturns.map((status) => ({
    status,
    count: current[`returns_${status}`] ?? 0,
  }));
  return {
    total: by_status.reduce((sum, { count }) => sum + count, 0),
    by_status,
    to_send_back: current["returns_to_send_back"] ?? 0,
  };
}

export async function leadsSection(table: Table, on: Day) {
  const rows = await readLast30DaysAndPrevious(table, "leads", on);
  return { new: applyToRanges(rows, on, (leads) => leads("leads")) };
}

export async function inventorySection(readCurrent: () => Promise<Metrics>) {
  const current = await readCurrent();
  return {
    low_stock: current["low_stock"] ?? 0,
    out_of_stock: current["out_of_stock"] ?? 0,
  };
}

export async function feedSection(table: Table) {
  const written = await table.get(FeedFileLists, {});
  return { without_picture: written?.without_picture ?? 0 };
}

export async function trafficSection(table: Table, on: Day) {
  return applyToRanges(await readLast30DaysAndPrevious(table, "events", on), on, trafficMetrics);
}
