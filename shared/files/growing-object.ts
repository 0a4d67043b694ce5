import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  NoSuchUpload,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Unavailable } from "../runtime/unavailable.ts";
import { openS3 } from "./s3.ts";

/** What storage takes as a part that others follow, at least. */
export const leastPartBytes = 5 * 1024 * 1024;

/** Objects of one bucket that are written part by part, also by several functions in turn. */
export interface GrowingObjects {
  /** @returns the name of the upload, which keeps its parts until it is completed or abandoned */
  begin(key: string, contentType: string): Promise<string>;
  /** @param number from 1 @returns the part's ETag */
  addPart(key: string, uploadId: string, number: number, bytes: Uint8Array): Promise<string>;
  /** Makes the object of all its parts. Throws LostUpload when the upload, or a part of it, is no more. */
  complete(key: string, uploadId: string, etags: readonly string[]): Promise<void>;
  /** Lets the parts go; what is gone already does not matter. */
  abandon(key: string, uploadId: string): Promise<void>;
  /** The bytes of a whole object as they come. */
  read(key: string): Promise<Readable>;
}

/** An upload that was completed or abandoned before, or whose parts are not those that were stored. */
export class LostUpload extends Error {
  override readonly name = "LostUpload";
}

/** How long a part may take on its way. */
const partTimeoutMs = 30_000;

export function openGrowingObjects(options: {
  bucket: string;
  endpoint?: string | undefined;
}): GrowingObjects {
  const client = openS3(options.endpoint, {
    requestTimeout: partTimeoutMs,
    // S3 takes parts with a checksum only where the upload was begun with one, and wants all of them again at its end.
    // The signature holds each part's SHA-256, and readers get the sum of what was stored.
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  const Bucket = options.bucket;

  return {
    async begin(Key, ContentType) {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ Bucket, Key, ContentType }),
      );
      return given(UploadId);
    },
    async addPart(Key, UploadId, PartNumber, Body) {
      const { ETag } = await client.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }),
      );
      return given(ETag);
    },
    async complete(Key, UploadId, etags) {
      const Parts = etags.map((ETag, position) => ({ ETag, PartNumber: position + 1 }));
      try {
        await client.send(
          new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        );
      } catch (cause) {
        // A part that somebody slow has stored once more is another part.
        const isOver = isLost(cause) || (cause instanceof Error && cause.name === "InvalidPart");
        throw isOver ? new LostUpload(`The upload of ${Key} is no more`, { cause }) : cause;
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
      // In Node the SDK's stream is Node's own.
      return given(Body) as Readable;
    },
  };
}

const isLost = (error: unknown) =>
  error instanceof NoSuchUpload || (error instanceof Error && error.name === "NoSuchUpload");

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Unavailable("Object storage answered with nothing");
  return value;
}
