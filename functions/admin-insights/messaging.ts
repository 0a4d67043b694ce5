import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  MessagingMetrics,
  comparedWith,
  messagingMetrics,
} from "#shared/domain/metrics/insights.ts";
import { route, staff } from "#shared/http/route.ts";
import { InboxCounters } from "#shared/storage/inbox/inbox.ts";
import type { Table } from "#shared/storage/table.ts";
import { PeriodQuery, requestedPeriod, compared, readBoth, summing } from "./requested-period.ts";

/** The current numbers of unread, open and pending conversations. */
export const InboxCounts = z.object({ unread: z.int(), open: z.int(), pending: z.int() });

/** Reads the counters. Their item does not exist before the first message. */
export async function readInbox(table: Pick<Table, "get">): Promise<z.output<typeof InboxCounts>> {
  return (await table.get(InboxCounters, {})) ?? { unread: 0, open: 0, pending: 0 };
}

export const showMessaging = route({
  method: "GET",
  path: "/admin/analytics/messaging",
  summary: "Get messaging metrics for a period",
  description:
    "Includes the preceding period of equal length. `now` has the current numbers of unread, open " +
    "and pending conversations.",
  access: staff("analytics.view"),
  request: { query: PeriodQuery },
  response: {
    status: 200,
    data: z.object({ ...comparedWith(MessagingMetrics), now: InboxCounts }),
  },
  async handle(call, shop: Shop<"table" | "settings", "store">) {
    const period = await requestedPeriod(call, shop);
    const [rows, now] = await Promise.all([
      readBoth(shop.table, "messages", period),
      readInbox(shop.table),
    ]);
    const metrics = compared(period, (range) => messagingMetrics(summing(rows)(range)));
    return { data: { ...metrics, now } };
  },
});

export const routes = [showMessaging];
