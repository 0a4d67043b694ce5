import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { clientDefaults } from "../runtime/aws-client.ts";

interface S3Options extends Pick<
  S3ClientConfig,
  "requestChecksumCalculation" | "responseChecksumValidation"
> {
  /** How long an attempt may go without data, in ms. */
  readonly requestTimeout?: number;
}

/** Opens an S3 client. @param endpoint replaces the region's endpoint; bucket names are then a part of the path */
export function openS3(
  endpoint: string | undefined,
  { requestTimeout, ...checksums }: S3Options = {},
): S3Client {
  return new S3Client({
    ...clientDefaults(endpoint, requestTimeout),
    ...checksums,
    forcePathStyle: endpoint !== undefined,
  });
}
