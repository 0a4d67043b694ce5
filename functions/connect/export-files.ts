import type { Opener, Parts } from "#shared/application/shop.ts";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { type Calling, bucketOf } from "./bucket.ts";

export const exportFiles: Opener<Parts["exportFiles"], Calling> = (environment, shop) =>
  openGrowingObjects(bucketOf(environment, "EXPORTS_BUCKET", shop));
