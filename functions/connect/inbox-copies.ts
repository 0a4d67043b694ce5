import type { Opener, Parts } from "#shared/application/shop.ts";
import { openCopyObject } from "#shared/files/copy-object.ts";
import { bucketOf } from "./bucket.ts";

export const copyInboxFile: Opener<Parts["copyInboxFile"]> = (environment) =>
  openCopyObject(bucketOf(environment, "INBOX_BUCKET"));
