import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  NoSuchUpload,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { timeoutOf } from "../runtime/timeouts.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { type BucketOptions, openS3 } from "./s3.ts";

/** S3's minimum size of all parts except the last. */
export const leastPartBytes = 5 * 1024 * 1024;

/** Objects of one bucket that are written in parts, possibly by several invocations in turn. */
export interface GrowingObjects {
  /** Starts an upload. S3 keeps its parts until the upload is completed or abandoned. @returns the upload id */
  begin(key: string, contentType: string): Promise<string>;
  /**
   * Stores one part.
   *
   * @param number from 1
   * @returns the part's ETag
   */
  addPart(key: string, uploadId: string, number: number, bytes: Uint8Array): Promise<string>;
  /** Assembles the object from all parts. Throws LostUpload when the upload or a part no longer exists. */
  complete(key: string, uploadId: string, etags: readonly string[]): Promise<void>;
  /** Deletes the parts. Also succeeds if they do not exist. */
  abandon(key: string, uploadId: string): Promise<void>;
  /** Streams a whole object. */
  read(key: string): Promise<Readable>;
}

/** Thrown when an upload was completed or abandoned before, or when its parts have changed. */
export class LostUpload extends Error {
  override readonly name = "LostUpload";
}

/** Timeout for a part, in ms. */
const partTimeoutMs = 30_000;

export function openGrowingObjects(options: BucketOptions): GrowingObjects {
  const client = openS3(options, {
    requestTimeout: timeoutOf(partTimeoutMs),
    // By default the SDK adds a checksum to each part. S3 accepts these checksums only if the upload was started with
    // one, and requires all of them again at the end. They are not needed: the signature covers each part's SHA-256,
    // and readers receive the checksum of the stored object.
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  const Bucket = options.bucket;

  return {
    async begin(Key, ContentType) {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ Bucket, Key, ContentType }),
      );
      return required(UploadId);
    },
    async addPart(Key, UploadId, PartNumber, Body) {
      const { ETag } = await client.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }),
      );
      return required(ETag);
    },
    async complete(Key, UploadId, etags) {
      const Parts = etags.map((ETag, position) => ({ ETag, PartNumber: position + 1 }));
      try {
        await client.send(
          new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        );
      } catch (cause) {
        // If a slow worker has stored a part again, the part has a new ETag, and S3 reports the old one as invalid.
        const isOver = isLost(cause) || (cause instanceof Error && cause.name === "InvalidPart");
        throw isOver ? new LostUpload(`The upload of ${Key} no longer exists`, { cause }) : cause;
      }
    },
    async abandon(Key, UploadId) {
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    },
    async read(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      // In Node.js the SDK returns a Node.js stream.
      return required(Body) as Readable;
    },
  };
}

const isLost = (error: unknown) =>
  error instanceof NoSuchUpload || (error instanceof Error && error.name === "NoSuchUpload");

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Unavailable("Object storage returned an incomplete response");
  return value;
}
