import { CopyObjectCommand } from "@aws-sdk/client-s3";
import { isMissing } from "./object-store.ts";
import { type BucketOptions, openS3 } from "./s3.ts";

/** Copies an object with its headers. Also succeeds, and copies nothing, if it does not exist. */
export type CopyObject = (from: string, to: string) => Promise<void>;

/** Copies objects within a bucket. Apart from the store, so that only functions that copy load the command. */
export function openCopyObject(options: BucketOptions): CopyObject {
  const client = openS3(options);
  const Bucket = options.bucket;
  return async (from, Key) => {
    try {
      await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` }));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  };
}
