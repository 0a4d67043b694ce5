import type { Opener, Parts } from "#shared/application/shop.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { type Calling, bucketOf } from "./bucket.ts";

export const publicFile: Opener<Parts["publicFile"], Calling> = (environment, shop) =>
  openObjectReader(bucketOf(environment, "MEDIA_BUCKET", shop));
