import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { SalesMetrics, TrafficMetrics } from "#shared/domain/metrics/insights.ts";
import { Currency } from "#shared/domain/base/money.ts";
import { covers, type Permission } from "#shared/domain/staff/permission.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { Day } from "#shared/domain/base/text.ts";
import { route, staff } from "#shared/http/route.ts";
import {
  OpenOrders,
  Owed,
  UnpaidOrders,
  feedSection,
  inventorySection,
  OpenReturns,
  leadsSection,
  ordersSection,
  returnsSection,
  readLast30DaysAndPrevious,
  salesSection,
  trafficSection,
} from "./dashboard-sections.ts";
import { readCurrentTotals } from "#shared/storage/metrics/metrics.ts";
import type { Table } from "#shared/storage/table.ts";
import { InboxCounts, readInbox } from "./messaging.ts";

const withRanges = <Shape extends z.ZodType>(metrics: Shape) => ({
  today: metrics,
  last_30_days: metrics,
  previous_30_days: metrics,
});

const Dashboard = z.object({
  on: Day.meta({ description: "Today in the store's timezone: the last of the 30 days" }),
  currency: Currency,
  sales: z
    .object({
      ...withRanges(SalesMetrics),
      by_day: z.array(z.object({ on: Day, orders: z.int(), revenue: z.int() })),
    })
    .optional()
    .meta({ description: "Requires `orders.view` or `analytics.view`" }),
  orders: z
    .object({
      open: OpenOrders,
      unpaid: UnpaidOrders,
      deposits_held: Owed,
      balances_due: Owed,
    })
    .optional()
    .meta({
      description:
        "Requires `orders.view`. `deposits_held`: of orders that are not dispatched yet; " +
        "`balances_due`: what orders with a paid deposit still owe",
    }),
  returns: OpenReturns.optional().meta({ description: "Requires `returns.view`" }),
  leads: z
    .object({ new: z.object(withRanges(z.int())) })
    .optional()
    .meta({ description: "Requires `leads.view`" }),
  inbox: InboxCounts.optional().meta({
    description: "Numbers of conversations; requires `inbox.view`",
  }),
  inventory: z
    .object({ low_stock: z.int(), out_of_stock: z.int() })
    .optional()
    .meta({ description: "Numbers of SKUs; requires `inventory.view`" }),
  feed: z
    .object({ without_picture: z.int() })
    .optional()
    .meta({ description: "Left out of the product feed; requires `catalog.view`" }),
  traffic: z
    .object(withRanges(TrafficMetrics))
    .optional()
    .meta({ description: "Requires `analytics.view`" }),
});

export const showDashboard = route({
  method: "GET",
  path: "/admin/dashboard",
  summary: "Get the dashboard",
  description:
    "Covers today, the last 30 days and the 30 days before them. Leaves out sections that the " +
    "caller may not view.",
  access: staff(null),
  request: {},
  response: { status: 200, data: Dashboard },
  async handle({ permissions, now }, { table, settings }: Shop<"table" | "settings", "store">) {
    const { timezone, currency } = (await settings.current()).store;
    const on = dayIn(timezone, now);
    return { data: { on, currency, ...(await sectionsOn(on, permissions, table)) } };
  },
});

/** The sections that the caller may view. */
async function sectionsOn(on: string, permissions: readonly string[], table: Table) {
  const seen = sectionsFor(permissions);
  const read = sharedReads(table, on);
  const [sales, orders, returns, leads, inbox, inventory, feed, traffic] = await Promise.all([
    seen(() => salesSection(on, read.sales), "orders.view", "analytics.view"),
    seen(() => ordersSection(on, read), "orders.view"),
    seen(() => returnsSection(read.current), "returns.view"),
    seen(() => leadsSection(table, on), "leads.view"),
    seen(() => readInbox(table), "inbox.view"),
    seen(() => inventorySection(read.current), "inventory.view"),
    seen(() => feedSection(table), "catalog.view"),
    seen(() => trafficSection(table, on), "analytics.view"),
  ]);
  return { sales, orders, returns, leads, inbox, inventory, feed, traffic };
}

/** Returns a function that reads a section if the caller has any of the permissions. */
const sectionsFor =
  (permissions: readonly string[]) =>
  <Section>(read: () => Promise<Section>, ...any: Permission[]) =>
    any.some((permission) => covers(permissions, permission)) ? read() : undefined;

/** Reads that several sections share. */
const sharedReads = (table: Table, on: string) => ({
  sales: shared(() => readLast30DaysAndPrevious(table, "sales", on)),
  current: shared(() => readCurrentTotals(table)),
});

/** Returns a function that calls `read` once, when it is first called, and then always returns the same promise. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | undefined;
  return () => (reading ??= read());
}

export const routes = [showDashboard];
