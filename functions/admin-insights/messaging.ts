import * as z from "zod";
import {
  MessagingMetrics,
  comparedWith,
  messagingMetrics,
} from "#shared/domain/metrics/insights.ts";
import { route, staff } from "#shared/http/route.ts";
import { InboxCounters } from "#shared/storage/inbox/inbox.ts";
import type { Table } from "#shared/storage/table.ts";
import { PeriodQuery, askedPeriod, compared, readBoth, summing } from "./asked-period.ts";
import type { Deps } from "./deps.ts";

/** Current number of unread and open conversations. */
export const InboxCounts = z.object({ unread: z.int(), open: z.int(), pending: z.int() });

/** The counters' row exists from the first message on. */
export async function readInbox(table: Pick<Table, "get">): Promise<z.output<typeof InboxCounts>> {
  return (await table.get(InboxCounters, {})) ?? { unread: 0, open: 0, pending: 0 };
}

export const showMessaging = route({
  method: "GET",
  path: "/admin/analytics/messaging",
  summary: "Get messaging metrics of a period",
  description:
    "Includes the preceding period of equal length for comparison, and the current inbox.",
  access: staff("analytics.view"),
  request: { query: PeriodQuery },
  response: {
    status: 200,
    data: z.object({ ...comparedWith(MessagingMetrics), now: InboxCounts }),
  },
  async handle(call, deps: Deps) {
    const period = await askedPeriod(call, deps);
    const [rows, now] = await Promise.all([
      readBoth(deps.table, "messages", period),
      readInbox(deps.table),
    ]);
    const metrics = compared(period, (range) => messagingMetrics(summing(rows)(range)));
    return { data: { ...metrics, now } };
  },
});

export const routes = [showMessaging];
