import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { type Queue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

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
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    DOCUMENTS_BUCKET,
    S3_ENDPOINT,
    OUTBOX_QUEUE_URL,
    SQS_ENDPOINT,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "DOCUMENTS_BUCKET",
    "S3_ENDPOINT",
    "OUTBOX_QUEUE_URL",
    "SQS_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    orders: openOrders(table),
    settings: openGroups(table, ["store", "payments", "tax"]),
    files: openObjectStore({ bucket: DOCUMENTS_BUCKET, endpoint: S3_ENDPOINT }),
    outbox: openQueue({ url: OUTBOX_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    log: openLog("on-change-documents"),
    now: () => new Date(),
  };
}
