import type { IfOpened } from "#shared/application/shop.ts";
import type { BucketOptions } from "#shared/files/s3.ts";
import { type VariableName, readVariable } from "#shared/runtime/environment.ts";

type BucketVariable = Extract<VariableName, `${string}_BUCKET`>;

/** What the openers of buckets take of a shop. */
export type Calling = IfOpened<"requestHandler">;

/** The name and address of a bucket, as the functions of `shared/files` take them. */
export const bucketOf = (
  environment: NodeJS.ProcessEnv,
  variable: BucketVariable,
  { requestHandler }: Calling = {},
): BucketOptions => ({
  bucket: readVariable(environment, variable),
  endpoint: readVariable(environment, "S3_ENDPOINT"),
  requestHandler,
});
