import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { ReadObject } from "./object-reader.ts";
import { objectReader } from "./read-object.ts";
import { openS3 } from "./s3.ts";

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
export function openObjectStore(options: {
  bucket: string;
  endpoint?: string | undefined;
  requestTimeout?: number;
}): ObjectStore {
  const { endpoint, requestTimeout } = options;
  const client = openS3(endpoint, requestTimeout === undefined ? {} : { requestTimeout });
  const Bucket = options.bucket;
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
