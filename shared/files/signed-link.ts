import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { openS3 } from "./s3.ts";

/**
 * Makes a link to an object of one bucket, in this function's own name. The object's file is saved under `filename`
 * (ASCII).
 */
export type LinkTo = (
  key: string,
  link: { filename: string; lifetimeSeconds: number; now: Date },
) => Promise<string>;

/** Nothing is sent: a link is made of what the function knows of itself. */
export function openLinks(options: { bucket: string; endpoint?: string | undefined }): LinkTo {
  // Browsers neither send nor check checksums: by default the link would sign one of an empty body.
  const client = openS3(options.endpoint, {
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
