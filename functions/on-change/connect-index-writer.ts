import { bucketOf } from "#functions/connect/bucket.ts";
import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectFifoQueue } from "#functions/connect/queue.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import type { Log } from "#shared/runtime/log.ts";
import { type IndexName, openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import type { Table } from "#shared/storage/table.ts";
import type { IndexDeps } from "../../shared/application/listing/index-work.ts";

/** The table, the log and what writes an index: its pointer, its objects and its queue. */
export function connectIndexWriter(
  environment: NodeJS.ProcessEnv,
  index: IndexName,
  queue: "CATALOG_INDEX_QUEUE_URL" | "STAFF_INDEX_QUEUE_URL",
): IndexDeps & { table: Table; log: Log } {
  const { table, log } = connectConsumer(environment, `on-change-${index}-index`);
  const { get, put, remove } = openObjectStore(bucketOf(environment, "INDEX_BUCKET"));
  return {
    table,
    target: {
      folder: `${index}-view`,
      log,
      ...openIndexPointer(table, index),
      object: get,
      now: Date.now,
      remove,
      put: (key, bytes) => put(key, bytes, "application/octet-stream"),
    },
    rebuilds: openIndexRebuilds(table, index),
    queue: connectFifoQueue(environment, queue),
    portionSize: 500,
    log,
  };
}
