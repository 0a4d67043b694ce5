import type { Opener, Parts } from "#shared/application/shop.ts";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { bucketOf } from "./bucket.ts";

export const exportFiles: Opener<Parts["exportFiles"]> = (environment) =>
  openGrowingObjects(bucketOf(environment, "EXPORTS_BUCKET"));
