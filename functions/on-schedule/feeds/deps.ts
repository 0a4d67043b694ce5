import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";

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

export const connect = (environment: NodeJS.ProcessEnv): Deps => ({
  ...connectConsumer(environment, "on-schedule-feeds"),
  publicFiles: openObjectStore({
    ...bucketOf(environment, "MEDIA_BUCKET"),
    requestTimeout: timeoutOf(uploadTimeout),
  }),
  mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
  apiBaseUrl: readVariable(environment, "API_BASE_URL"),
});
