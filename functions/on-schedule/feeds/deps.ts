import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps {
  table: Table;
  /** The bucket of public files. */
  publicFiles: Pick<ObjectStore, "put">;
  mediaBaseUrl: string;
  /** The API's address; undefined if the deployment does not know it. */
  apiBaseUrl: string | undefined;
  log: Pick<Log, "info">;
  now(): Date;
}

/** In ms. An upload may take long, because the product feed of a large catalog has tens of megabytes. */
const uploadTimeout = 60_000;

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, MEDIA_BUCKET, S3_ENDPOINT, MEDIA_BASE_URL, API_BASE_URL } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
      "API_BASE_URL",
    ]);
  return {
    table: openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }),
    publicFiles: openObjectStore({
      bucket: MEDIA_BUCKET,
      endpoint: S3_ENDPOINT,
      requestTimeout: timeoutOf(uploadTimeout),
    }),
    mediaBaseUrl: MEDIA_BASE_URL,
    apiBaseUrl: API_BASE_URL,
    log: openLog("on-schedule-feeds"),
    now: () => new Date(),
  };
}
