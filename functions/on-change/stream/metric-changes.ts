import { isDeepStrictEqual } from "node:util";
import { stockTally } from "#shared/domain/metrics/enquiry-metrics.ts";
import { countableEvent } from "#shared/domain/metrics/event-metrics.ts";
import { AnalyticsEvents } from "#shared/storage/metrics/analytics-events.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { Conversations, Messages } from "#shared/storage/inbox/inbox.ts";
import { recordOf } from "#shared/storage/entity.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { type Image, type ItemChange, imageOf } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { MetricChange, MetricChanges } from "../metric-change.ts";

/** Returns the message to the metrics consumer about a table change; undefined if the change affects no metric. */
export function metricChange({ before, after }: ItemChange): MetricChange | undefined {
  const item = after ?? before ?? {};
  const id = String(item["id"]);
  switch (item["entity"]) {
    case AnalyticsEvents.name:
      // Only a new row is counted. A repeated event only changes its row, and an expired event is deleted.
      return before || !after
        ? undefined
        : { kind: "event", ...countableEvent(recordOf(AnalyticsEvents, after)) };
    case Orders.name:
      return differs(before, after, ["status", "paid", "refunded"])
        ? { kind: "order", id }
        : undefined;
    case Leads.name:
      return differs(before, after, ["status"]) ? { kind: "lead", id } : undefined;
    case Quotes.name:
      return differs(before, after, ["status"]) ? { kind: "quote", id } : undefined;
    case Conversations.name:
      return before ? undefined : { kind: "conversation", id };
    case Messages.name:
      return differs(before, after, ["state"])
        ? { kind: "message", id, conversation_id: String(item["conversation_id"]) }
        : undefined;
    case Stocks.name: {
      const tally = (row: Image) => stockTally(imageOf(Stocks, row));
      return isDeepStrictEqual(tally(before), tally(after))
        ? undefined
        : { kind: "stock", id: String(item["sku"]) };
    }
    default:
      return undefined;
  }
}

const differs = (before: Image, after: Image, members: readonly string[]): boolean =>
  !before || !after || members.some((member) => before[member] !== after[member]);

/** Maximum number of changes that the consumer can process in one transaction. */
const mostChanges = 40;

/** The distinct changes, in messages of at most `mostChanges`. */
export function metricMessages(changes: readonly MetricChange[]): MetricChanges[] {
  const once = distinct(changes);
  return Array.from({ length: Math.ceil(once.length / mostChanges) }, (_, position) => ({
    changes: once.slice(position * mostChanges, (position + 1) * mostChanges),
  }));
}
