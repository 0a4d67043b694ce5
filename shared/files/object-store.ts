import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { ReadObject } from "./object-reader.ts";
import { objectReader } from "./read-object.ts";
import { openS3 } from "./s3.ts";

/** The objects of one bucket. */
export interface ObjectStore {
  readonly get: ReadObject;
  /** Stores an object. @param cacheControl the header that the object is served with */
  put(key: string, bytes: Uint8Array, contentType: string, cacheControl?: string): Promise<void>;
  /** Succeeds if the object does not exist. */
  remove(key: string): Promise<void>;
}

export function openObjectStore(options: {
  bucket: string;
  endpoint?: string | undefined;
}): ObjectStore {
  const client = openS3(options.endpoint);
  const Bucket = options.bucket;
  return {
    get: objectReader(client, Bucket),
    async put(Key, Body, ContentType, CacheControl) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl }));
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
