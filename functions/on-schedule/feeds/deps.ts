import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { FeedPorts } from "#shared/application/seo/write-feeds.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";

export type Deps = FeedPorts;

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
