import { S3Client, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { clientDefaults } from "../runtime/aws-client.ts";

/** The keys of all objects in a bucket, in their order. */
export async function listObjects(options: {
  bucket: string;
  endpoint?: string | undefined;
}): Promise<string[]> {
  const client = new S3Client({
    ...clientDefaults(options.endpoint),
    forcePathStyle: options.endpoint !== undefined,
  });
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
