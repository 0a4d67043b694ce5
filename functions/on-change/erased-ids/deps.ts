import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";

export interface Deps {
  table: Table;
  ledger: Pick<ObjectStore, "put">;
  log: Pick<Log, "error">;
}

export const connect = (environment: NodeJS.ProcessEnv): Deps => ({
  ...connectConsumer(environment, "on-change-erased-ids"),
  ledger: openObjectStore(bucketOf(environment, "ERASED_IDS_BUCKET")),
});
