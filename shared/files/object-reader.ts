import { escapeUriPath } from "@smithy/core/protocols";
import { awsService } from "../runtime/aws-service.ts";
import type { BucketOptions } from "./s3.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/**
 * Throws Unavailable when the object cannot be read now, and Error when it does not exist or this function may not read
 * it.
 */
export type ReadObject = (key: string) => Promise<Uint8Array>;

/**
 * Reads objects of one bucket without the S3 client, which would add 200 KB to a bundle. With the client, the admin
 * catalog function would exceed the bundle size limit, and its first list of products would wait until the client is
 * loaded.
 */
export function openObjectReader(options: BucketOptions): ReadObject {
  const { bucket, endpoint, requestHandler } = options;
  const storage = awsService("s3", {
    host: (region) => `${bucket}.s3.${region}.amazonaws.com`,
    endpoint,
    requestHandler,
  });
  const folder = endpoint === undefined ? "" : `/${bucket}`;
  return async (key) => {
    const { status, body } = await storage({
      method: "GET",
      path: `${folder}/${escapeUriPath(key)}`,
    });
    if (status === 200) return body;
    const cause = new Error(`Object storage answered ${status} for ${key}`);
    // S3 answers 404 only to callers that may list the bucket, and 403 to others.
    if (status === 404 || status === 403) throw cause;
    throw new Unavailable("Object storage did not answer", { cause });
  };
}
