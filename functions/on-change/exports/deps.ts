import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { Log } from "#shared/runtime/log.ts";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import type { MakingPorts } from "#shared/application/export/make-export.ts";

export interface Deps extends MakingPorts {
  log: Log;
}

/** Lambda's 15 minutes, less the time that a part and a checksum may take. */
const budgetMs = 12 * 60_000;

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-exports");
  return {
    ...consumer,
    staffIndex: {
      pointer: openIndexPointer(consumer.table, "staff").pointer,
      object: openObjectStore(bucketOf(environment, "INDEX_BUCKET")).get,
    },
    objects: openGrowingObjects(bucketOf(environment, "EXPORTS_BUCKET")),
    queue: connectQueue(environment, "EXPORTS_QUEUE_URL"),
    budgetMs,
  };
}
