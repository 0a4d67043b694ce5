import type { Opener, Parts } from "#shared/application/shop.ts";
import { openFileKeeper } from "#shared/files/file-keeper.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type Calling, bucketOf } from "./bucket.ts";

/** Copies from the quarantine bucket to the media bucket. */
export const fileKeeper: Opener<Parts["fileKeeper"], Calling> = (environment, shop) => {
  const published = bucketOf(environment, "MEDIA_BUCKET", shop);
  const from = readVariable(environment, "QUARANTINE_BUCKET");
  return openFileKeeper({ ...published, from, to: published.bucket });
};
