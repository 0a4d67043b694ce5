import type { UploadForm } from "../domain/upload.ts";
import {
  type Identity,
  algorithm,
  signatureOf,
  signatureScope,
  signatureTime,
} from "../runtime/signature.ts";

/** What one upload must be, to the byte. */
export interface ExpectedObject {
  readonly bucket: string;
  readonly key: string;
  readonly contentType: string;
  readonly size: number;
}

const lifetimeMs = 15 * 60_000;

/**
 * A form that storage takes in the name of `identity`, for this object and no other: an S3 POST policy, signed by
 * AWS Signature Version 4. Storage checks the form's content type, not what the bytes are.
 *
 * @param url of the bucket
 */
export function uploadForm(
  url: string,
  { bucket, key, contentType, size }: ExpectedObject,
  { region, accessKeyId, secretAccessKey, sessionToken }: Identity,
  now: Date,
): UploadForm {
  const time = signatureTime(now);
  const scope = signatureScope(time, region, "s3");
  const expires_at = new Date(now.getTime() + lifetimeMs).toISOString();
  const fields = {
    key,
    "Content-Type": contentType,
    "x-amz-algorithm": algorithm,
    "x-amz-credential": `${accessKeyId}/${scope}`,
    "x-amz-date": time,
    ...(sessionToken && { "x-amz-security-token": sessionToken }),
  };
  const conditions = [
    { bucket },
    ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
    ["content-length-range", size, size],
  ];
  const policy = Buffer.from(JSON.stringify({ expiration: expires_at, conditions })).toString(
    "base64",
  );
  return {
    url,
    fields: {
      ...fields,
      policy,
      "x-amz-signature": signatureOf(policy, scope, secretAccessKey),
    },
    expires_at,
  };
}
