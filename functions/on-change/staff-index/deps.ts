import { openFifoQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { openIndexTarget } from "../index-target.ts";
import type { IndexDeps } from "../index-work.ts";

export interface Deps extends IndexDeps {
  table: Table;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    INDEX_BUCKET,
    S3_ENDPOINT,
    STAFF_INDEX_QUEUE_URL,
    SQS_ENDPOINT,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "INDEX_BUCKET",
    "S3_ENDPOINT",
    "STAFF_INDEX_QUEUE_URL",
    "SQS_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const bucket = { bucket: INDEX_BUCKET, endpoint: S3_ENDPOINT };
  const log = openLog("on-change-staff-index");
  return {
    table,
    target: openIndexTarget(table, bucket, "staff", log),
    rebuilds: openIndexRebuilds(table, "staff"),
    queue: openFifoQueue({ url: STAFF_INDEX_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    portionSize: 500,
    log,
  };
}
