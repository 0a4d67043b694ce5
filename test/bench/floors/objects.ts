import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

export const commands = [DeleteObjectCommand, PutObjectCommand];

/** One get of an object that is not there. */
export async function read(environment: NodeJS.ProcessEnv): Promise<void> {
  const client = new S3Client({
    ...clientDefaults(environment["S3_ENDPOINT"]),
    forcePathStyle: true,
  });
  try {
    await client.send(new GetObjectCommand({ Bucket: environment["VIEW_BUCKET"], Key: "nothing" }));
  } catch (error) {
    if (!(error instanceof NoSuchKey)) throw error;
  }
}
