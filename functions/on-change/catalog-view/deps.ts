import type { ViewTarget } from "#shared/catalog-view/catalog-writer.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type PublishedCatalog, openPublishedCatalog } from "#shared/storage/published-catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { openViewTarget } from "../view-target.ts";

export interface Deps {
  published: PublishedCatalog;
  target: ViewTarget;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, VIEW_BUCKET, S3_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "VIEW_BUCKET",
    "S3_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const bucket = { bucket: VIEW_BUCKET, endpoint: S3_ENDPOINT };
  const log = openLog("on-change-catalog-view");
  return {
    published: openPublishedCatalog(table),
    target: openViewTarget(table, bucket, "catalog", log),
    log,
  };
}
