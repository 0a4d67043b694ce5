import type { Opener, Parts } from "#shared/application/shop.ts";
import { openFileKeeper } from "#shared/files/file-keeper.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type Calling, bucketOf } from "./bucket.ts";
import { openCopyObject } from "#shared/files/copy-object.ts";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { openUploads } from "#shared/files/uploads.ts";

/** Copies from the quarantine bucket to the media bucket. */
export const fileKeeper: Opener<Parts["fileKeeper"], Calling> = (environment, shop) => {
  const published = bucketOf(environment, "MEDIA_BUCKET", shop);
  const from = readVariable(environment, "QUARANTINE_BUCKET");
  return openFileKeeper({ ...published, from, to: published.bucket });
};

export const copyInboxFile: Opener<Parts["copyInboxFile"], Calling> = (environment, shop) =>
  openCopyObject(bucketOf(environment, "INBOX_BUCKET", shop));

export const exportFiles: Opener<Parts["exportFiles"], Calling> = (environment, shop) =>
  openGrowingObjects(bucketOf(environment, "EXPORTS_BUCKET", shop));

export const uploads: Opener<Parts["uploads"]> = (environment) =>
  openUploads({
    bucket: readVariable(environment, "QUARANTINE_BUCKET"),
    url: readVariable(environment, "UPLOAD_URL"),
  });
