import { CopyObjectCommand, GetObjectCommand } from "@aws-sdk/client-s3";
import type { AwsEndpoint } from "../runtime/aws-client.ts";
import { timeoutOf } from "../runtime/timeouts.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { openS3 } from "./s3.ts";

/** The beginning of a stored file, and its version. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** The size of the whole file in bytes. */
  readonly size: number;
  readonly etag: string;
}

/** How a file is stored and served. */
export interface KeptFile {
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly contentDisposition: string;
}

/** Copies files of any size between buckets, inside S3. */
export interface FileKeeper {
  /** Reads the beginning of a file. @param length in bytes; a shorter file is read whole */
  head(key: string, length: number): Promise<FileHead>;
  /** Copies a file to the other bucket. Fails if the file has changed since `head` read it. */
  keep(key: string, etag: string, as: KeptFile): Promise<void>;
}

export function openFileKeeper(
  options: AwsEndpoint & { readonly from: string; readonly to: string },
): FileKeeper {
  const { from, to } = options;
  // S3 answers a copy request when the copy is done: 50 MB take a few seconds.
  const client = openS3(options, { requestTimeout: timeoutOf(30_000) });
  return {
    async head(Key, length) {
      const Range = `bytes=0-${length - 1}`;
      const { Body, ContentRange, ETag } = await client.send(
        new GetObjectCommand({ Bucket: from, Key, Range }),
      );
      if (!Body || !ETag) throw new Unavailable(`Object storage returned no body for ${Key}`);
      const bytes = await Body.transformToByteArray();
      const size = Number(ContentRange?.split("/")[1] ?? bytes.byteLength);
      return { bytes, size, etag: ETag };
    },
    async keep(key, etag, { key: Key, contentType, cacheControl, contentDisposition }) {
      await client.send(
        new CopyObjectCommand({
          Bucket: to,
          Key,
          CopySource: `${from}/${key}`,
          CopySourceIfMatch: etag,
          MetadataDirective: "REPLACE",
          ContentType: contentType,
          CacheControl: cacheControl,
          ContentDisposition: contentDisposition,
        }),
      );
    },
  };
}
