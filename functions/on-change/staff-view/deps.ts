import type { ViewTarget } from "#shared/catalog-view/catalog-writer.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { openViewTarget } from "../view-target.ts";

export interface Deps {
  table: Table;
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
  const log = openLog("on-change-staff-view");
  return { table, target: openViewTarget(table, bucket, "staff", log), log };
}
