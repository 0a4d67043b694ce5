import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";

/** What the functions that keep objects have of the SDK. */
export const handler = async () => [
  S3Client,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
];
