import {
  DeleteObjectCommand,
  PutObjectCommand,
  GetObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { ReadObject } from "./object-reader.ts";
import { type BucketOptions, openS3 } from "./s3.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/** Further headers that an object is served with. */
interface ObjectHeaders {
  readonly cacheControl?: string;
  readonly contentEncoding?: string;
}

/** The objects of one bucket. */
export interface ObjectStore {
  readonly get: ReadObject;
  put(key: string, bytes: Uint8Array, contentType: string, headers?: ObjectHeaders): Promise<void>;
  /** Also succeeds if the object does not exist. */
  remove(key: string): Promise<void>;
}

/** @param options.requestTimeout in ms; set it if requests of large objects take longer than the default */
export function openObjectStore(options: BucketOptions & { requestTimeout?: number }): ObjectStore {
  const { bucket: Bucket, requestTimeout } = options;
  const client = openS3(options, { requestTimeout });
  return {
    get: objectReader(client, Bucket),
    async put(Key, Body, ContentType, { cacheControl, contentEncoding } = {}) {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body,
          ContentType,
          CacheControl: cacheControl,
          ContentEncoding: contentEncoding,
        }),
      );
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}

/** Reads objects of one bucket. */
function objectReader(client: S3Client, Bucket: string): ReadObject {
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
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  const { httpStatusCode: status } = error.$metadata;
  return status === 404 || status === 403;
}
