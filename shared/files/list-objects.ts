import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { type BucketOptions, openS3 } from "./s3.ts";

/** The keys of all objects in a bucket, in order. */
export async function listObjects(options: BucketOptions): Promise<string[]> {
  const client = openS3(options);
  const keys: string[] = [];
  try {
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client },
      { Bucket: options.bucket },
    )) {
      keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
    }
    return keys;
  } finally {
    client.destroy();
  }
}
