import type { Opener } from "#shared/application/shop.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";
import { type Calling, bucketOf } from "./bucket.ts";

type Bucket = Parameters<typeof bucketOf>[1];

const objects =
  (bucket: Bucket): Opener<ObjectStore, Calling> =>
  (environment, shop) =>
    openObjectStore(bucketOf(environment, bucket, shop));

export const publishedFiles = objects("MEDIA_BUCKET");
export const quarantineFiles = objects("QUARANTINE_BUCKET");
export const documentFiles = objects("DOCUMENTS_BUCKET");
export const inboxFiles = objects("INBOX_BUCKET");
export const erasedIdLedger = objects("ERASED_IDS_BUCKET");
export const failedChangeFiles = objects("FAILED_CHANGES_BUCKET");

/** In ms. An upload may take long, because the product feed of a large catalog has tens of megabytes. */
const feedTimeout = 60_000;

export const publicFiles: Opener<ObjectStore, Calling> = (environment, shop) =>
  openObjectStore({
    ...bucketOf(environment, "MEDIA_BUCKET", shop),
    requestTimeout: timeoutOf(feedTimeout),
  });
