import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** A compressed text, and the size of the text in bytes. */
export interface PackedText {
  readonly gzip: Uint8Array;
  readonly bytes: number;
}

/** Compresses a text while it is produced, so that a large text is never completely in memory. */
export async function packedText(
  parts: Iterable<string> | AsyncIterable<string>,
): Promise<PackedText> {
  let bytes = 0;
  const packed: Buffer[] = [];
  await pipeline(
    async function* () {
      for await (const part of parts) {
        const chunk = Buffer.from(part);
        bytes += chunk.byteLength;
        yield chunk;
      }
    },
    createGzip(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) packed.push(chunk);
    },
  );
  return { gzip: Buffer.concat(packed), bytes };
}
