import { type GrowingObjects, openGrowingObjects } from "#shared/files/growing-object.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { type Queue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { openTable } from "#shared/storage/table.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import type { RowSources } from "./rows-of.ts";

export interface Deps extends RowSources {
  objects: GrowingObjects;
  queue: Pick<Queue, "send">;
  /** Time in ms after which an invocation stops, and another one continues the job. */
  budgetMs: number;
  log: Log;
}

/** Lambda's 15 minutes, less the time that a part and a checksum may take. */
const budgetMs = 12 * 60_000;

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    INDEX_BUCKET,
    EXPORTS_BUCKET,
    EXPORTS_QUEUE_URL,
    S3_ENDPOINT,
    SQS_ENDPOINT,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "INDEX_BUCKET",
    "EXPORTS_BUCKET",
    "EXPORTS_QUEUE_URL",
    "S3_ENDPOINT",
    "SQS_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    staffIndex: {
      pointer: openIndexPointer(table, "staff").pointer,
      object: openObjectStore({ bucket: INDEX_BUCKET, endpoint: S3_ENDPOINT }).get,
    },
    objects: openGrowingObjects({ bucket: EXPORTS_BUCKET, endpoint: S3_ENDPOINT }),
    queue: openQueue({ url: EXPORTS_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    budgetMs,
    now: () => new Date(),
    log: openLog("on-change-exports"),
  };
}
