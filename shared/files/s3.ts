import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { type AwsEndpoint, clientDefaults } from "../runtime/aws-client.ts";

interface S3Options extends Pick<
  S3ClientConfig,
  "requestChecksumCalculation" | "responseChecksumValidation"
> {
  /** How long an attempt may go without data, in ms. */
  readonly requestTimeout?: number | undefined;
}

/** The name and address of a bucket. */
export interface BucketOptions extends AwsEndpoint {
  readonly bucket: string;
}

/** Opens an S3 client. If the region's endpoint is replaced, bucket names are a part of the path. */
export function openS3(
  { endpoint, requestHandler }: AwsEndpoint,
  { requestTimeout, ...checksums }: S3Options = {},
): S3Client {
  return new S3Client({
    ...clientDefaults(endpoint, { requestTimeout, requestHandler }),
    ...checksums,
    forcePathStyle: endpoint !== undefined,
  });
}
