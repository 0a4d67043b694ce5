import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { DocumentDeps } from "#shared/application/document/keep-document.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps extends DocumentDeps {
  orders: Pick<OrderStore, "find">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-documents");
  return {
    ...consumer,
    orders: openOrders(consumer.table),
    settings: openGroups(consumer.table, ["store", "payments", "shipping", "tax"]),
    files: openObjectStore(bucketOf(environment, "DOCUMENTS_BUCKET")),
    outbox: connectQueue(environment, "OUTBOX_QUEUE_URL"),
  };
}
