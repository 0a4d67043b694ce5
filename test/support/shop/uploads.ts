import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import type { AdminMediaItem } from "#shared/domain/upload/media-item.ts";
import type { UploadForm, UploadedPicture } from "#shared/domain/upload/upload.ts";
import type { Client, Reply } from "../http/client.ts";
import type { Data } from "../back-office/catalog.ts";
import type { Problem } from "../http/answers.ts";
import { waitFor } from "../stack/wait-until.ts";
import type { FileType } from "#shared/domain/upload/media-type.ts";
import { demoId } from "#infra/local/demo/identity.ts";
import { fileAt } from "#infra/local/demo/exported.ts";
import type { MediaAddress } from "#shared/domain/upload/media.ts";

export type Upload = UploadedPicture & {
  id: string;
  upload: UploadForm | null;
  reason_message: string | null;
};
export type UploadReply = Reply<Data<Upload> & Problem>;

/** A photo as a phone sends it: rotated, and with GPS metadata. */
export function aPhotograph(
  format: "jpeg" | "png" | "webp" | "avif" = "jpeg",
  { width = 900, height = 600 } = {},
): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: { r: 120, g: 60, b: 30 } },
  })
    .withExif({
      IFD0: { Make: "Telephone", Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 30/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toFormat(format)
    .toBuffer();
}

/** Sends a form as a browser does. */
export async function sendForm({ url, fields }: UploadForm, file: Uint8Array): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([Uint8Array.from(file)]));
  return fetch(url, { method: "POST", body: form });
}

/** Polls until the picture has been processed. */
export async function judged(
  client: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<Upload> {
  return waitFor(
    "media",
    async () => {
      const { body } = await client.get<Data<Upload>>(path, headers);
      if (body.data.status === "pending") throw new Error("The picture is still pending");
      return body.data;
    },
    { interval: 40 },
  );
}

/** The id of a processed picture that is ready. */
export async function uploadedPicture(client: Client): Promise<string> {
  const file = await aPhotograph();
  const request = { filename: "sofa.jpg", content_type: "image/jpeg", size: file.length };
  const { id, upload } = (await client.post<Data<Upload>>("/media/fabric", request)).body.data;
  if (upload) await sendForm(upload, file);
  await judged(client, `/media/fabric/${id}`);
  return id;
}

/**
 * A picture in the media library that is ready.
 *
 * @param headers of staff who may edit media
 * @param said members of the request that differ
 */
export async function uploadedMediaItem(
  client: Client,
  headers: Record<string, string>,
  said: object = {},
): Promise<AdminMediaItem> {
  const file = await aPhotograph("jpeg", { width: 60, height: 40 });
  const request = { filename: "oslo.jpg", content_type: "image/jpeg", size: file.length };
  const made = await client.post<Data<Upload>>("/admin/media", { ...request, ...said }, headers);
  const { id, upload } = made.body.data;
  if (upload) await sendForm(upload, file);
  await judged(client, `/admin/media/${id}`, headers);
  return (await client.get<Data<AdminMediaItem>>(`/admin/media/${id}`, headers)).body.data;
}

/** A PNG of a few hundred kilobytes whose header announces too many pixels. */
export function aBomb(): Promise<Buffer> {
  return sharp({
    create: { width: 10_000, height: 10_000, channels: 3, background: "white" },
    limitInputPixels: false,
  })
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer();
}

/** A picture of one colour, which compresses to a very small file. */
export function flat(
  format: "jpeg" | "png" | "webp" | "avif",
  [width, height]: [number, number] = [10_000, 5_000],
): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background: "red" } });
  return format === "avif"
    ? picture.avif({ quality: 1, effort: 0 }).toBuffer()
    : picture.toFormat(format, { effort: 1 }).toBuffer();
}

/** A PNG with the chunk that announces an animation. */
export async function anAnimatedPng(): Promise<Buffer> {
  const png = await flat("png", [8, 8]);
  const content = Buffer.concat([Buffer.from("acTL"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(8);
  checksum.writeUInt32BE(crc32(content));
  // After the signature and the header, which are 33 bytes.
  return Buffer.concat([png.subarray(0, 33), length, content, checksum, png.subarray(33)]);
}

/** A script that starts like a GIF. */
export const polyglot = Buffer.from(
  "GIF89a/*\u0001\u0000\u0001\u0000*/=1;alert(document.domain)//",
);

export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

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

/** The address of a drawing of the demo shop, by its name: `products/kaveri-lounge-chair/1`. */
export function drawingOf(name: string): MediaAddress {
  const folder = `media://uploads/${demoId("med", name)}/`;
  drawings ??= readFileSync(fileAt("media.json"), "utf8").match(/media:[^"]+\.svg/g) ?? [];
  const address = drawings.find((each) => each.startsWith(folder));
  if (address === undefined) throw new RangeError(`The demo shop has no drawing ${name}`);
  return address;
}

let drawings: string[] | undefined;
