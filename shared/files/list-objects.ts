import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { openS3 } from "./s3.ts";

/** The keys of all objects in a bucket, in order. */
export async function listObjects(options: {
  bucket: string;
  endpoint?: string | undefined;
}): Promise<string[]> {
  const client = openS3(options.endpoint);
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
