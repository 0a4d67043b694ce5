import type { Opener, Parts } from "#shared/application/shop.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { bucketOf } from "./bucket.ts";

export const publicFile: Opener<Parts["publicFile"]> = (environment) =>
  openObjectReader(bucketOf(environment, "MEDIA_BUCKET"));
