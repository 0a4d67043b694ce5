import { sortOrders, type SortOrders } from "./orders.ts";
import { withMediaUrls } from "../domain/upload/media.ts";
import { UnreadableIndex, indexFormat } from "../domain/listing/index-pointer.ts";
import type { Postings } from "./postings.ts";
import type { Labels, Segment, IndexEntry } from "./segment.ts";
import { withMediaUrlsIn } from "./media-urls.ts";
import type { StringColumn } from "./string-column.ts";

/** Loading zlib takes a fifth of a cold start, and a detail page does not need it. */
const zlib = () => process.getBuiltinModule("node:zlib");

/**
 * Small documents stored with the cards, such as the materials and the category trees. The caller defines their
 * shapes.
 */
export type IndexDocuments = Record<string, unknown>;

export interface Base {
  segment: Segment;
  documents: IndexDocuments;
}

/** What has changed since the base was written. */
export interface Overlay {
  upserts: IndexEntry[];
  /** The ids of removed cards. */
  removals: string[];
  documents: IndexDocuments;
}

export const emptyOverlay: Overlay = { upserts: [], removals: [], documents: {} };

type Column = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

interface Header {
  format: number;
  size: number;
  labels: Labels;
  documents: IndexDocuments;
  /** The columns in the order in which they are stored. Each starts at a multiple of eight bytes. */
  columns: { name: string; width: number; length: number }[];
}

// Level 1 takes a third of the time of level 6, and its result is a tenth larger.
const compression = { level: 1, chunkSize: 1 << 20 };

/**
 * Format of a base: the length of the first part (8 bytes), then two parts, each gzip. The first is the length of the
 * header (8 bytes), the header as JSON, then the segment's columns in memory layout (little-endian), each padded to
 * eight bytes. The second is the texts with media addresses. They are apart so that their memory is freed when their
 * addresses are replaced by URLs.
 */
export function encodeBase({ segment, documents }: Base): Buffer {
  const columns = columnsOf(segment);
  const texts = addressed.map((name) => segment[name].bytes);
  const header: Header = {
    format: indexFormat,
    size: segment.size,
    labels: segment.labels,
    documents,
    columns: Array.from(columns, ([name, column]) => ({
      name,
      width: column.BYTES_PER_ELEMENT,
      length: column.length,
    })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const parts: Uint8Array[] = [lengthOf(json), ...padded(json)];
  for (const column of columns.values()) {
    parts.push(...padded(new Uint8Array(column.buffer, column.byteOffset, column.byteLength)));
  }
  const first = zlib().gzipSync(Buffer.concat(parts), compression);
  return Buffer.concat([
    lengthOf(first),
    first,
    zlib().gzipSync(Buffer.concat(texts), compression),
  ]);
}

/**
 * Throws UnreadableIndex if the object is invalid. The columns are views of the unpacked bytes, not copies.
 *
 * @param mediaBaseUrl if defined, cards, looks and variants have URLs instead of media addresses
 */
export function decodeBase(object: Uint8Array, mediaBaseUrl?: string): Base {
  return readable(() =>
    unpackedBase(Buffer.from(object.buffer, object.byteOffset, object.length), mediaBaseUrl),
  );
}

function unpackedBase(object: Buffer, mediaBaseUrl: string | undefined): Base {
  const end = lengthBytes + object.readUInt32LE(0);
  const { segment, documents } = unpackedColumns(object.subarray(lengthBytes, end));
  let bytes = zlib().gunzipSync(object.subarray(end), compression);
  for (const name of addressed) {
    const { offsets } = segment[name];
    const length = offsets.at(-1) ?? 0;
    const column = { bytes: bytes.subarray(0, length), offsets };
    segment[name] = mediaBaseUrl === undefined ? column : withMediaUrlsIn(column, mediaBaseUrl);
    bytes = bytes.subarray(length);
  }
  return { segment, documents };
}

function unpackedColumns(part: Buffer): Base {
  const unpacked = zlib().gunzipSync(part, compression);
  // A small buffer may start anywhere in Node's shared pool, and columns need alignment.
  const bytes = unpacked.byteOffset % 8 === 0 ? unpacked : Buffer.from(new Uint8Array(unpacked));
  const headerLength = bytes.readUInt32LE(0);
  // Only `encodeBase` writes these objects; the format is checked next.
  const header = JSON.parse(
    bytes.toString("utf8", lengthBytes, lengthBytes + headerLength),
  ) as Header;
  expectFormat(header.format);
  const columns = new Map<string, Column>();
  let offset = lengthBytes + roundUp(headerLength);
  for (const { name, width, length } of header.columns) {
    columns.set(name, columnAt(bytes, offset, width, length));
    offset += roundUp(width * length);
  }
  return { segment: segmentFrom(header, columns), documents: header.documents };
}

/** An overlay is gzip of JSON. */
export function encodeOverlay(overlay: Overlay): Buffer {
  return zlib().gzipSync(JSON.stringify({ format: indexFormat, ...overlay }), compression);
}

/**
 * Throws UnreadableIndex if the object is invalid.
 *
 * @param mediaBaseUrl if defined, cards, looks and variants have URLs instead of media addresses
 */
export function decodeOverlay(object: Uint8Array, mediaBaseUrl?: string): Overlay {
  return readable(() => {
    // Only `encodeOverlay` writes these objects; the format is checked next.
    const { format, ...overlay } = JSON.parse(zlib().gunzipSync(object).toString()) as Overlay & {
      format: number;
    };
    expectFormat(format);
    if (mediaBaseUrl === undefined) return overlay;
    const upserts = overlay.upserts.map(({ card, looks, variants, ...entry }) => ({
      ...entry,
      ...withMediaUrls({ card, looks, variants }, mediaBaseUrl),
    }));
    return { ...overlay, upserts };
  });
}

function readable<Part>(decode: () => Part): Part {
  try {
    return decode();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableIndex(`A part of the catalog index cannot be read: ${reason}`, { cause });
  }
}

function expectFormat(format: number): void {
  if (format !== indexFormat) throw new Error(`Unknown format ${format}.`);
}

const lengthBytes = 8;

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  return length;
}

function roundUp(length: number): number {
  return (length + 7) & ~7;
}

function padded(bytes: Uint8Array): Uint8Array[] {
  return [bytes, new Uint8Array(roundUp(bytes.length) - bytes.length)];
}

function columnAt(
  bytes: Buffer<ArrayBuffer>,
  offset: number,
  width: number,
  length: number,
): Column {
  const start = bytes.byteOffset + offset;
  if (width === 8) return new Float64Array(bytes.buffer, start, length);
  if (width === 4) return new Uint32Array(bytes.buffer, start, length);
  return new Uint8Array(bytes.buffer, start, length);
}

const stringColumns = ["ids", "addresses", "names", "skus", "picks"] as const;
/** The columns with media addresses. Their bytes are stored apart. */
const addressed = ["cards", "looks", "shownVariants"] as const;
const numberColumns = [
  "variantPrices",
  "published",
  "popularity",
  "widths",
  "depths",
  "heights",
] as const;
const listColumns = ["skuOrder", "idOrder", "addressOrder", "letters", "variantStarts"] as const;
const postingColumns = ["facets", "text", "variantFacets"] as const;

function columnsOf(segment: Segment): Map<string, Column> {
  const columns = new Map<string, Column>();
  const putStrings = (name: string, { bytes, offsets }: StringColumn) =>
    columns.set(`${name}.bytes`, bytes).set(`${name}.offsets`, offsets);
  for (const name of stringColumns) putStrings(name, segment[name]);
  for (const name of addressed) columns.set(`${name}.offsets`, segment[name].offsets);
  for (const name of numberColumns) columns.set(name, segment[name]);
  for (const name of listColumns) columns.set(name, segment[name]);
  for (const order of sortOrders) columns.set(`orders.${order}`, segment.orders[order]);
  for (const name of postingColumns) {
    const { terms, offsets, docs, fields } = segment[name];
    putStrings(`${name}.terms`, terms);
    columns.set(`${name}.offsets`, offsets).set(`${name}.docs`, docs);
    columns.set(`${name}.fields`, fields);
  }
  return columns;
}

const noBytes = Buffer.from(new ArrayBuffer(0));

function segmentFrom({ size, labels }: Header, columns: Map<string, Column>): Segment {
  // `columnsOf` has stored each column with its width.
  const numbers = (name: string) => columns.get(name) as Float64Array<ArrayBuffer>;
  const list = (name: string) => columns.get(name) as Uint32Array<ArrayBuffer>;
  const bytes = (name: string) => columns.get(name) as Uint8Array<ArrayBuffer>;
  const strings = (name: string): StringColumn => {
    const { buffer, byteOffset, length } = bytes(`${name}.bytes`);
    return { bytes: Buffer.from(buffer, byteOffset, length), offsets: list(`${name}.offsets`) };
  };
  const apart = (name: (typeof addressed)[number]): StringColumn => ({
    bytes: noBytes,
    offsets: list(`${name}.offsets`),
  });
  const postings = (name: string): Postings => ({
    terms: strings(`${name}.terms`),
    offsets: list(`${name}.offsets`),
    docs: list(`${name}.docs`),
    fields: bytes(`${name}.fields`),
  });
  return {
    size,
    labels,
    cards: apart("cards"),
    ids: strings("ids"),
    addresses: strings("addresses"),
    names: strings("names"),
    skus: strings("skus"),
    skuOrder: list("skuOrder"),
    picks: strings("picks"),
    looks: apart("looks"),
    variantStarts: list("variantStarts"),
    variantPrices: numbers("variantPrices"),
    shownVariants: apart("shownVariants"),
    variantFacets: postings("variantFacets"),
    published: numbers("published"),
    popularity: numbers("popularity"),
    widths: numbers("widths"),
    depths: numbers("depths"),
    heights: numbers("heights"),
    // The type of `Object.fromEntries` has no member names; every order has an entry.
    orders: Object.fromEntries(
      sortOrders.map((order) => [order, list(`orders.${order}`)]),
    ) as SortOrders,
    idOrder: list("idOrder"),
    addressOrder: list("addressOrder"),
    letters: list("letters"),
    facets: postings("facets"),
    text: postings("text"),
  };
}
