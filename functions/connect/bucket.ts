import { type VariableName, readVariable } from "#shared/runtime/environment.ts";

type BucketVariable = Extract<VariableName, `${string}_BUCKET`>;

/** The name and address of a bucket, as the functions of `shared/files` take them. */
export const bucketOf = (
  environment: NodeJS.ProcessEnv,
  variable: BucketVariable,
): { bucket: string; endpoint: string | undefined } => ({
  bucket: readVariable(environment, variable),
  endpoint: readVariable(environment, "S3_ENDPOINT"),
});
