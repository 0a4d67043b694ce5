import { namesOf } from "../base/members.ts";
import * as z from "zod";
import { PictureType, pictureTypes } from "./upload.ts";

const megabyte = 1024 * 1024;

/** Files that the media library stores unchanged: their extensions and size limits. */
export const fileTypes = {
  "video/mp4": { extension: "mp4", maxBytes: 50 * megabyte },
  "video/webm": { extension: "webm", maxBytes: 50 * megabyte },
  "model/gltf-binary": { extension: "glb", maxBytes: 25 * megabyte },
  "model/vnd.usdz+zip": { extension: "usdz", maxBytes: 25 * megabyte },
  "application/pdf": { extension: "pdf", maxBytes: 10 * megabyte },
} as const;
export const FileType = z.enum(namesOf(fileTypes));
export type FileType = z.output<typeof FileType>;

/** The types that staff may upload to the media library. */
export const MediaType = z.enum([...PictureType.options, ...FileType.options]);
export type MediaType = z.output<typeof MediaType>;

/** The types that the media library may contain. SVG cannot be uploaded, but the demo shop's drawings use it. */
export const StoredMediaType = z.enum([...MediaType.options, "image/svg+xml"]);
export type StoredMediaType = z.output<typeof StoredMediaType>;

export const isFileType = (type: string): type is FileType => Object.hasOwn(fileTypes, type);
export const isPictureType = (type: string): type is PictureType =>
  Object.hasOwn(pictureTypes, type);

/** The role of a media item on a product. */
export function placeOf(type: StoredMediaType): "image" | "video" | "model_3d" | "document" {
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("video/")) return "video";
  return type.startsWith("model/") ? "model_3d" : "document";
}

/** The number of bytes that `hasSignature` needs. */
export const signatureBytes = 4096;

/**
 * Whether a file begins as its announced type requires. The check is stricter than the formats: a PDF, for example, may
 * have up to 1,024 other bytes before its header. A browser could take such a file for another format, so it is
 * refused.
 *
 * @param head the first `signatureBytes` of the file, or all of a shorter file
 * @param size of the whole file, in bytes
 */
export function hasSignature(type: FileType, head: Uint8Array, size: number): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  switch (type) {
    case "video/mp4":
      return isMp4(bytes);
    case "video/webm":
      return isWebm(bytes);
    case "model/gltf-binary":
      return isGlb(bytes, size);
    case "model/vnd.usdz+zip":
      return isUsdz(bytes);
    case "application/pdf":
      return /^%PDF-(?:1\.[0-7]|2\.0)[\r\n]/.test(latin1(bytes, 0, 10));
  }
}

const latin1 = (bytes: Buffer, start: number, end: number) =>
  bytes.subarray(start, end).toString("latin1");

/**
 * Brands of files that browsers play. AVIF, HEIC and QuickTime files also start with a `ftyp` box, but have other
 * brands.
 */
const mp4Brands = new Set("isom,iso2,iso3,iso4,iso5,iso6,mp41,mp42,M4V ,avc1,dash".split(","));

/** ISO/IEC 14496-12: the first box is `ftyp`, with a major brand, a version and compatible brands. */
function isMp4(bytes: Buffer): boolean {
  if (bytes.byteLength < 16 || latin1(bytes, 4, 8) !== "ftyp") return false;
  const length = bytes.readUInt32BE(0);
  if (length < 16 || length % 4 !== 0 || length > bytes.byteLength) return false;
  const brands = [latin1(bytes, 8, 12)];
  for (let at = 16; at < length; at += 4) brands.push(latin1(bytes, at, at + 4));
  return brands.some((brand) => mp4Brands.has(brand));
}

const ebml = "\u001A\u0045\u00DF\u00A3";
const docType = 0x4282;

/**
 * RFC 8794: the header of an EBML file names its document type; Matroska's own is `matroska`. Texts may be padded with
 * zero bytes, and sizes written with more bytes than they need.
 */
function isWebm(bytes: Buffer): boolean {
  if (latin1(bytes, 0, 4) !== ebml) return false;
  const header = ebmlSize(bytes, 4);
  if (header === undefined) return false;
  const end = Math.min(bytes.byteLength, header.end + header.size);
  for (let at = header.end; at + 2 < end;) {
    const idLength = Math.clz32(bytes[at]!) - 23;
    const size = ebmlSize(bytes, at + idLength);
    if (size === undefined || idLength > 4) return false;
    if (idLength === 2 && bytes.readUInt16BE(at) === docType) {
      const [name = ""] = latin1(bytes, size.end, size.end + size.size).split("\0", 1);
      return name === "webm" && size.end + size.size <= end;
    }
    at = size.end + size.size;
  }
  return false;
}

/** The size of an element at this place, and the place after it; undefined if there is none. */
function ebmlSize(bytes: Buffer, at: number): { size: number; end: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.byteLength) return undefined;
  let size = first & (0xff >> length);
  for (let next = at + 1; next < at + length; next += 1) size = size * 256 + bytes[next]!;
  return { size, end: at + length };
}

/** glTF 2.0, 4.4: a header of 12 bytes with the total length, then a JSON chunk. */
function isGlb(bytes: Buffer, size: number): boolean {
  if (bytes.byteLength < 20 || latin1(bytes, 0, 4) !== "glTF") return false;
  const [version, length, json] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  return (
    version === 2 &&
    length === size &&
    (json ?? size) <= size - 20 &&
    latin1(bytes, 16, 20) === "JSON" &&
    latin1(bytes, 20, 21) === "{"
  );
}

/** The USDZ specification: an uncompressed, unencrypted zip whose first file is the scene. */
function isUsdz(bytes: Buffer): boolean {
  if (bytes.byteLength < 30 || latin1(bytes, 0, 4) !== "PK\u0003\u0004") return false;
  const [flags, method, nameLength] = [6, 8, 26].map((at) => bytes.readUInt16LE(at));
  const name = latin1(bytes, 30, 30 + (nameLength ?? 0));
  return ((flags ?? 1) & 1) === 0 && method === 0 && /\.usd[acz]?$/i.test(name);
}

/** The longest name, in bytes of UTF-8: file systems take 255, and browsers add numbers to it. */
const longestStem = 200;

/**
 * The `Content-Disposition` of a file that is downloaded under its own name. As RFC 6266 says, `filename*` has the name in
 * any script, and `filename` an ASCII one for clients that do not read it.
 *
 * @param extension that of the file's type, which replaces the name's own
 */
export function attachmentNamed(filename: string, extension: string): string {
  const own = filename
    .replace(/\.[^.]*$/, "")
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|]+/gu, "-");
  const stem = shortened(own.replaceAll(/^[-.\s]+|[-.\s]+$/g, "") || "file");
  const ascii =
    stem.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "") || "file";
  const plain = `attachment; filename="${ascii.slice(0, 80)}.${extension}"`;
  const isPlain = ascii === stem && ascii.length <= 80;
  return isPlain ? plain : `${plain}; filename*=UTF-8''${encoded(`${stem}.${extension}`)}`;
}

function shortened(stem: string): string {
  let [kept, bytes] = ["", 0];
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > longestStem) break;
    kept += segment;
  }
  return kept;
}

/** The text in the characters that RFC 5987 allows. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
