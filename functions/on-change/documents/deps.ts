import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Queue } from "#shared/queues/queue.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps {
  table: Table;
  orders: Pick<OrderStore, "find">;
  settings: SettingsStore<"store" | "payments" | "tax">;
  files: Pick<ObjectStore, "put" | "remove">;
  /** The queue of mails. */
  outbox: Pick<Queue, "send">;
  log: Pick<Log, "error" | "warn">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-documents");
  return {
    ...consumer,
    orders: openOrders(consumer.table),
    settings: openGroups(consumer.table, ["store", "payments", "tax"]),
    files: openObjectStore(bucketOf(environment, "DOCUMENTS_BUCKET")),
    outbox: connectQueue(environment, "OUTBOX_QUEUE_URL"),
  };
}
