import type { Opener, Parts } from "#shared/application/shop.ts";
import { openCopyObject } from "#shared/files/copy-object.ts";
import { type Calling, bucketOf } from "./bucket.ts";

export const copyInboxFile: Opener<Parts["copyInboxFile"], Calling> = (environment, shop) =>
  openCopyObject(bucketOf(environment, "INBOX_BUCKET", shop));
