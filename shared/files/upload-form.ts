import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import type { UploadForm } from "../domain/upload/upload.ts";
import { openS3 } from "./s3.ts";

/** The exact properties of one upload. */
interface ExpectedObject {
  readonly key: string;
  readonly contentType: string;
  readonly size: number;
}

const lifetimeSeconds = 15 * 60;

/**
 * Signs forms that S3 accepts for one object only: S3 POST policies. S3 checks the form's content type, not the
 * bytes.
 *
 * @param url where the bucket accepts forms; defaults to the bucket's own address
 */
export function formSigner(Bucket: string, url: string | undefined) {
  const client = openS3(url);
  return async ({ key, contentType, size }: ExpectedObject): Promise<UploadForm> => {
    const expires_at = endOfForm(new Date());
    const form = await createPresignedPost(client, {
      Bucket,
      Key: key,
      Fields: { "Content-Type": contentType },
      Conditions: [["content-length-range", size, size]],
      Expires: lifetimeSeconds,
    });
    return { url: url ?? form.url, fields: form.fields, expires_at };
  };
}

/** The policy expires on a full second, rounded up. */
function endOfForm(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000) + lifetimeSeconds;
  return new Date(seconds * 1000).toISOString();
}
