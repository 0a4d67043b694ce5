import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import type { UploadForm } from "../domain/upload/upload.ts";
import { openS3 } from "./s3.ts";

/** What one upload must be, to the byte. */
interface ExpectedObject {
  readonly key: string;
  readonly contentType: string;
  readonly size: number;
}

const lifetimeSeconds = 15 * 60;

/**
 * Signs forms that storage takes for one object and no other: S3 POST policies. Storage checks the form's content type,
 * not what the bytes are.
 *
 * @param url where the bucket takes forms; the bucket's own address unless given
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

/** The policy ends on a full second, at this one or later. */
function endOfForm(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000) + lifetimeSeconds;
  return new Date(seconds * 1000).toISOString();
}
