import type { FileType } from "#shared/domain/upload/media-type.ts";

const box = (type: string, content: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + content.byteLength);
  return Buffer.concat([length, Buffer.from(type, "latin1"), content]);
};

/**
 * An MP4 without video.
 *
 * @param brands the major brand first
 */
export const anMp4 = (brands = ["isom", "iso2", "mp41"], padding = 16): Buffer =>
  Buffer.concat([
    box("ftyp", Buffer.from(`${brands[0]}\0\0\u0002\0${brands.join("")}`, "latin1")),
    box("mdat", Buffer.alloc(padding, 7)),
  ]);

/**
 * The head of a WebM file.
 *
 * @param docType `matroska` for another format
 */
export function aWebm(docType = "webm"): Buffer {
  const head = Buffer.concat([
    Buffer.from([0x42, 0x86, 0x81, 0x01, 0x42, 0x82, 0x80 | docType.length]),
    Buffer.from(docType),
  ]);
  return Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 | head.byteLength]), head]);
}

/** A glTF file with an empty scene. */
export function aGlb(): Buffer {
  const json = Buffer.from('{"asset":{"version":"2.0"}}'.padEnd(28));
  const header = Buffer.alloc(20);
  header.write("glTF", 0, "latin1");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(20 + json.byteLength, 8);
  header.writeUInt32LE(json.byteLength, 12);
  header.write("JSON", 16, "latin1");
  return Buffer.concat([header, json]);
}

/** The beginning of a zip with one stored file. */
export function aUsdz({ name = "chair.usda", method = 0 } = {}): Buffer {
  const header = Buffer.alloc(30);
  header.write("PK\u0003\u0004", 0, "latin1");
  header.writeUInt16LE(method, 8);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(`${name}#usda 1.0\n`)]);
}

export const aPdf = (): Buffer => Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n");

/** The smallest valid file of each type. */
export const aFileOf: Readonly<Record<FileType, () => Buffer>> = {
  "video/mp4": () => anMp4(),
  "video/webm": () => aWebm(),
  "model/gltf-binary": aGlb,
  "model/vnd.usdz+zip": () => aUsdz(),
  "application/pdf": aPdf,
};
