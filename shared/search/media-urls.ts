import { isMediaAddress, mediaScheme } from "../domain/upload/media.ts";
import type { StringColumn } from "./string-column.ts";

/** An address is a whole JSON string. A quotation mark inside a string is escaped, and so does not begin one. */
const opening = Buffer.from(`"${mediaScheme}`);
const quote = 0x22;
const backslash = 0x5c;

/**
 * A column of JSON texts with each stored address replaced by its public URL.
 *
 * @param baseUrl of the media library
 */
export function withMediaUrlsIn({ bytes, offsets }: StringColumn, baseUrl: string): StringColumn {
  const starts = addressesIn(bytes);
  const prefix = Buffer.from(`${baseUrl}/`);
  const longer = prefix.length - mediaScheme.length;

  const completed = Buffer.from(new ArrayBuffer(bytes.length + starts.length * longer));
  let from = 0;
  let to = 0;
  for (const start of starts) {
    to += bytes.copy(completed, to, from, start);
    to += prefix.copy(completed, to);
    from = start + mediaScheme.length;
  }
  bytes.copy(completed, to, from);

  let before = 0;
  const moved = offsets.map((offset) => {
    while (before < starts.length && starts[before]! < offset) before += 1;
    return offset + before * longer;
  });
  return { bytes: completed, offsets: moved };
}

/** The position of each stored address, ascending. */
function addressesIn(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(opening); at >= 0; at = bytes.indexOf(opening, at + 1)) {
    const start = at + 1;
    if (bytes[at - 1] === backslash) continue;
    if (isMediaAddress(bytes.toString("latin1", start, bytes.indexOf(quote, start))))
      starts.push(start);
  }
  return starts;
}
