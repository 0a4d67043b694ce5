import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type BucketOptions, openS3 } from "./s3.ts";

/**
 * Creates a signed link to an object of one bucket, with this function's credentials. The file is saved as `filename`
 * (ASCII).
 */
export type LinkTo = (
  key: string,
  link: { filename: string; lifetimeSeconds: number; now: Date },
) => Promise<string>;

/** Links are signed locally, without a request. */
export function openLinks(options: BucketOptions): LinkTo {
  // Browsers neither send nor check checksums. By default the link would sign the checksum of an empty body.
  const client = openS3(options, {
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return (Key, { filename, lifetimeSeconds, now }) => {
    const ResponseContentDisposition = `attachment; filename="${filename}"`;
    const command = new GetObjectCommand({
      Bucket: options.bucket,
      Key,
      ResponseContentDisposition,
    });
    return getSignedUrl(client, command, { expiresIn: lifetimeSeconds, signingDate: now });
  };
}
