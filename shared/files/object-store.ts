import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { clientDefaults } from "../runtime/aws-client.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/** One bucket. */
export interface ObjectStore {
  /** Throws Unavailable when the object cannot be had now, Error when there is none. */
  get(key: string): Promise<Uint8Array>;
  /** @param cacheControl what it is handed out with */
  put(key: string, bytes: Uint8Array, contentType: string, cacheControl?: string): Promise<void>;
  /** What is gone already does not matter. */
  remove(key: string): Promise<void>;
}

export function openObjectStore(options: {
  bucket: string;
  endpoint?: string | undefined;
}): ObjectStore {
  const client = new S3Client({
    ...clientDefaults(options.endpoint),
    forcePathStyle: options.endpoint !== undefined,
  });
  const Bucket = options.bucket;
  return {
    async get(Key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        if (!Body) throw new Unavailable(`Object storage sent nothing for ${Key}`);
        return await Body.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) throw error;
        throw new Unavailable("Object storage did not answer", { cause: error });
      }
    },
    async put(Key, Body, ContentType, CacheControl) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl }));
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
