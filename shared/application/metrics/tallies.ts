import {
  conversationTally,
  leadTally,
  messageTally,
  quoteTally,
  stockTally,
  waitingSince,
} from "#shared/domain/metrics/enquiry-metrics.ts";
import type { MetricChange } from "#shared/queues/queue-messages.ts";
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
import { Orders, openOrders } from "#shared/storage/order/orders.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import { type OrderRecord, type StoredOrder, noRows } from "#shared/domain/order/order.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import type { Table } from "#shared/storage/table.ts";

export type ChangedRecord = Exclude<MetricChange, { kind: "event" }>;

/** What each record currently adds to the metrics, in the order of `changed`. A missing record adds nothing. */
export async function talliesOf(
  changed: readonly ChangedRecord[],
  table: Table,
  timezone: string,
): Promise<Tally[]> {
  const ofKind = <Kind extends ChangedRecord["kind"]>(kind: Kind) =>
    changed.filter((each): each is ChangedRecord & { kind: Kind } => each.kind === kind);
  const found = await table.getMany({
    orders: ofKind("order").map((each) => at(Orders, each)),
    leads: ofKind("lead").map((each) => at(Leads, each)),
    quotes: ofKind("quote").map((each) => at(Quotes, each)),
    conversations: ofKind("conversation").map((each) => at(Conversations, each)),
    messages: ofKind("message").map((each) => at(Messages, each)),
    stock: ofKind("stock").map(({ id }) => at(Stocks, { id })),
  });
  const id = (record: { id: string }) => record.id;
  const [orders, leads, quotes] = [
    byName(found.orders, id),
    byName(found.leads, id),
    byName(found.quotes, id),
  ];
  const [conversations, messages] = [byName(found.conversations, id), byName(found.messages, id)];
  const stock = byName(found.stock, id);

  async function tallyOf(of: ChangedRecord): Promise<Tally> {
    switch (of.kind) {
      case "order": {
        const record = await withRows(orders.get(of.id), table);
        return record ? orderTally(record, timezone) : {};
      }
      case "lead": {
        const lead = leads.get(of.id);
        return lead ? leadTally(lead, timezone) : {};
      }
      case "quote": {
        const quote = quotes.get(of.id);
        return quote ? quoteTally(quote, timezone) : {};
      }
      case "conversation": {
        const conversation = conversations.get(of.id);
        return conversation ? conversationTally(conversation.created_at, timezone) : {};
      }
      case "message": {
        const message = messages.get(of.id);
        if (!message) return {};
        return messageTally(message, await waitedBefore(message, table), timezone);
      }
      case "stock":
        return stockTally(stock.get(of.id));
    }
  }
  return Promise.all(changed.map(tallyOf));
}

/** An order with its rows, from which its tally is computed. Those of an order that was only placed do not count. */
async function withRows(
  order: StoredOrder | undefined,
  table: Table,
): Promise<OrderRecord | undefined> {
  if (!order) return undefined;
  if (order.version > 1 || order.paid > 0) return openOrders(table).find(order.id);
  return { order, rows: noRows };
}

/**
 * How many messages are read to find the customer's earliest unanswered one. If there are more, the wait counts from
 * the earliest one that was read.
 */
const mostRead = 25;

async function waitedBefore(message: Message, table: Table): Promise<string | null> {
  if (message.direction === "inbound") return null;
  const { records } = await table.page(
    Messages,
    {
      partition: conversationPartition(message.conversation_id),
      between: [messagePrefix, `${messagePrefix}${message.id}`],
      newestFirst: true,
    },
    { limit: mostRead },
  );
  return waitingSince(records.filter(({ id }) => id !== message.id));
}
