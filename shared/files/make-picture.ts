import sharp, { type Metadata, type OutputInfo, type Sharp } from "sharp";
import {
  type PictureType,
  type PictureVariant,
  type RejectionReason,
  type UploadOutcome,
  maxPixels,
  maxSide,
  maxVisitorAvifPixels,
  pictureFolder,
  pictureTypes,
  variantWidths,
} from "#shared/domain/upload/upload.ts";
import { originalName } from "#shared/domain/upload/public-picture.ts";

export interface PublicFile {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: PictureType;
}

/** The file that the upload request described. */
interface Announced {
  readonly id: string;
  readonly content_type: PictureType;
  /** Whether it comes from a visitor, not from staff. */
  readonly isVisitors: boolean;
  /** Widths of the scaled copies. Default: `variantWidths` up to the picture's width. */
  readonly widths?: readonly number[];
}

const limits = { limitInputPixels: maxPixels, failOn: "error" } as const;
/**
 * How long processing a picture may take. A visitor's slow pictures must not hold up others; staff's have half of the
 * function's timeout, so that a rejection can still be stored.
 */
const workingTimeMs = (isVisitors: boolean): number => (isVisitors ? 10_000 : 60_000);

/**
 * Restricts libvips to the accepted formats, so that SVG, GIF and PDF never reach a parser. Limits each picture to
 * two threads, with no cache of decoded pixels between pictures.
 */
export function limitPictureWork(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["Jpeg", "Png", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
  });
  sharp.concurrency(2);
  sharp.cache(false);
}

/**
 * Decodes an upload once and encodes it again, upright. Only the pixels are kept: GPS position, camera, thumbnails and
 * data after the end of the picture are dropped.
 *
 * @param clock in ms; stops work that takes too long
 */
export async function makePicture(
  bytes: Uint8Array,
  { id, content_type, isVisitors, widths }: Announced,
  clock: () => number = Date.now,
): Promise<{ outcome: UploadOutcome; files: PublicFile[] }> {
  const rejected = (reason: RejectionReason) => ({
    outcome: { status: "rejected", reason } as const,
    files: [],
  });
  const end = clock() + workingTimeMs(isVisitors);
  const limited = (work: Sharp): Sharp => {
    const seconds = Math.ceil((end - clock()) / 1000);
    if (seconds <= 0) throw new Error("timeout: no time is left");
    return work.timeout({ seconds });
  };
  if (content_type === "image/avif" && isImageSequence(bytes)) return rejected("animated");
  try {
    const header = await sharp(bytes, { limitInputPixels: false }).metadata();
    const refusal = rejectionOf(header, bytes, { content_type, isVisitors });
    if (refusal) return rejected(refusal);

    const { data, info } = await limited(
      inSrgb(sharp(bytes, limits), header).autoOrient().raw(),
    ).toBuffer({
      resolveWithObject: true,
    });
    const { width, height, channels } = info;
    const decoded = () => limited(sharp(data, { ...limits, raw: { width, height, channels } }));

    const color = await dominantColor(decoded());
    const name = originalName({ width, height }, color);
    const original = await pictureFile(decoded(), id, name, content_type);
    const variants = [];
    for (const each of widths ?? variantWidths(width)) {
      variants.push(
        await pictureFile(decoded().resize({ width: each }), id, String(each), "image/webp"),
      );
    }
    return {
      outcome: {
        status: "ready",
        ...original.place,
        variants: variants.map(({ place }) => ({ ...place, content_type: "image/webp" })),
      },
      files: [original.file, ...variants.map(({ file }) => file)],
    };
  } catch (error) {
    // The error can only be a timeout or an invalid picture, because nothing is read but the bytes and the clock.
    return rejected(isTimeout(error) ? "took_too_long" : "not_a_picture");
  }
}

/** The most frequent colour of a picture, as `#rrggbb`. Transparent parts count as white. */
async function dominantColor(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .flatten({ background: "#ffffff" })
    .resize({ width: 64, height: 64, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  // `stats` reads a picture without the operations that come before it, so it reads their result.
  const { width, height, channels } = info;
  const { dominant } = await sharp(data, { raw: { width, height, channels } }).stats();
  const { r, g, b } = dominant;
  return `#${Buffer.from([r, g, b]).toString("hex")}`;
}

/** Whether an error says that sharp's `timeout` has passed. Lines of the decoder may come before. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /^timeout:/m.test(error.message);

/**
 * The picture with its colours in sRGB. With more than 8 bits and a profile, sharp works in P3, and the pixels would be
 * taken for sRGB.
 */
const inSrgb = (picture: Sharp, { depth, icc }: Metadata): Sharp =>
  icc !== undefined && depth !== "uchar" ? picture.pipelineColourspace("srgb") : picture;

/** Checks a picture by its header, before memory is allocated for its pixels. */
function rejectionOf(
  header: Metadata,
  bytes: Uint8Array,
  { content_type: announced, isVisitors }: Pick<Announced, "content_type" | "isVisitors">,
): RejectionReason | undefined {
  if (typeOf(header) !== announced) return "wrong_type";
  const { format, width, height, pages = 1 } = header;
  if (width * height > maxPixels) return "too_many_pixels";
  const isVisitorsAvif = isVisitors && announced === "image/avif";
  if (isVisitorsAvif && width * height > maxVisitorAvifPixels) return "avif_too_large";
  if (Math.max(width, height) > maxSide) return "too_long";
  // Further pictures in an AVIF are no frames: sharp reads the primary one, wherever it stands.
  const isFilm = pages > 1 && format !== "heif";
  if (isFilm || (announced === "image/png" && isAnimatedPng(bytes))) return "animated";
  return undefined;
}

/** Whether a PNG is animated. libvips cannot tell, because it reads only the first frame. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const control = png.indexOf("acTL");
  return control >= 0 && control < png.indexOf("IDAT");
}

/** Whether an AVIF is a sequence of frames. sharp does not read such files. */
const isImageSequence = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(4, 12)).toString("latin1") === "ftypavis";

function typeOf({ format, compression }: Metadata): PictureType | undefined {
  switch (format) {
    case "jpeg":
    case "png":
    case "webp":
      return `image/${format}`;
    case "heif":
      return compression === "av1" ? "image/avif" : undefined;
    default:
      return undefined;
  }
}

async function pictureFile(
  source: Sharp,
  id: string,
  name: string,
  contentType: PictureType,
): Promise<{ file: PublicFile; place: Omit<PictureVariant, "content_type"> }> {
  const { data, info } = await encoded(source, contentType);
  const key = `${pictureFolder(id)}${name}.${pictureTypes[contentType]}`;
  return {
    file: { key, bytes: data, contentType },
    place: {
      url: `media://${key}`,
      width: info.width,
      height: info.height,
      bytes: data.byteLength,
    },
  };
}

function encoded(
  source: Sharp,
  contentType: PictureType,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const whole = { resolveWithObject: true } as const;
  switch (contentType) {
    case "image/jpeg":
      return source.jpeg({ quality: 88, mozjpeg: true }).toBuffer(whole);
    case "image/png":
      return source.png().toBuffer(whole);
    case "image/webp":
      return source.webp({ quality: 82 }).toBuffer(whole);
    case "image/avif":
      return source.avif({ quality: 60, effort: 2 }).toBuffer(whole);
  }
}
