import { openFifoQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import {
  type PublishedCatalog,
  openPublishedCatalog,
} from "#shared/storage/catalog/published-catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { openIndexTarget } from "../index-target.ts";
import type { IndexDeps } from "../index-work.ts";

export interface Deps extends IndexDeps {
  published: PublishedCatalog;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    INDEX_BUCKET,
    S3_ENDPOINT,
    CATALOG_INDEX_QUEUE_URL,
    SQS_ENDPOINT,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "INDEX_BUCKET",
    "S3_ENDPOINT",
    "CATALOG_INDEX_QUEUE_URL",
    "SQS_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const bucket = { bucket: INDEX_BUCKET, endpoint: S3_ENDPOINT };
  const log = openLog("on-change-catalog-index");
  return {
    published: openPublishedCatalog(table),
    target: openIndexTarget(table, bucket, "catalog", log),
    rebuilds: openIndexRebuilds(table, "catalog"),
    queue: openFifoQueue({ url: CATALOG_INDEX_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    portionSize: 500,
    log,
  };
}
