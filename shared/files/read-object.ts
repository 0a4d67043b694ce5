import { GetObjectCommand, type S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { Unavailable } from "../runtime/unavailable.ts";
import type { ReadObject } from "./object-reader.ts";

/** Reads objects of one bucket. */
export function objectReader(client: S3Client, Bucket: string): ReadObject {
  return async (Key) => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      if (!Body) throw new Error(`Object storage returned no body for ${Key}`);
      return await Body.transformToByteArray();
    } catch (cause) {
      if (isMissing(cause)) throw cause;
      throw new Unavailable("Object storage did not answer", { cause });
    }
  };
}

/** S3 answers 404 only to callers that may list the bucket, and 403 to others. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  const { httpStatusCode: status } = error.$metadata;
  return status === 404 || status === 403;
}
