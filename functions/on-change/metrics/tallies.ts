import {
  conversationTally,
  leadTally,
  messageTally,
  quoteTally,
  stockTally,
  waitingSince,
} from "#shared/domain/metrics/enquiry-metrics.ts";
import type { Tally } from "#shared/domain/metrics/metrics.ts";
import type { Message } from "#shared/domain/inbox/message.ts";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import {
  Conversations,
  Messages,
  conversationPartition,
  messagePrefix,
} from "#shared/storage/inbox/inbox.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import type { Table } from "#shared/storage/table.ts";
import type { MetricChange } from "../metric-change.ts";

export type ChangedRecord = Exclude<MetricChange, { kind: "event" }>;

/** What a record currently adds to the metrics; nothing for a missing record. */
export async function tallyOf(
  thing: ChangedRecord,
  table: Table,
  timezone: string,
): Promise<Tally> {
  switch (thing.kind) {
    case "order": {
      const record = await openOrders(table).find(thing.id);
      return record ? orderTally(record, timezone) : {};
    }
    case "lead": {
      const lead = await table.get(Leads, thing);
      return lead ? leadTally(lead, timezone) : {};
    }
    case "quote": {
      const quote = await table.get(Quotes, thing);
      return quote ? quoteTally(quote, timezone) : {};
    }
    case "conversation": {
      const conversation = await table.get(Conversations, thing);
      return conversation ? conversationTally(conversation.created_at, timezone) : {};
    }
    case "message": {
      const message = await table.get(Messages, thing);
      if (!message) return {};
      return messageTally(message, await waitedBefore(message, table), timezone);
    }
    case "stock":
      return stockTally(await table.get(Stocks, { sku: thing.id }));
  }
}

/**
 * How many messages are read to find the customer's earliest unanswered one. If there are more, the wait counts from
 * the earliest one that was read.
 */
const mostRead = 25;

async function waitedBefore(message: Message, table: Table): Promise<string | null> {
  if (message.direction === "inbound") return null;
  const { records } = await table.query(Messages, {
    partition: conversationPartition(message.conversation_id),
    between: [messagePrefix, `${messagePrefix}${message.id}`],
    limit: mostRead,
    newestFirst: true,
  });
  return waitingSince(records.filter(({ id }) => id !== message.id));
}
