import sharp, { type Metadata, type OutputInfo, type Sharp } from "sharp";
import {
  type PictureType,
  type PictureVariant,
  type RejectionReason,
  type UploadOutcome,
  maxPixels,
  pictureFolder,
  pictureTypes,
} from "#shared/domain/upload.ts";

/** A file to be handed out. */
export interface MadeFile {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: PictureType;
}

/** What was announced. */
interface Announced {
  readonly id: string;
  readonly content_type: PictureType;
}

const variantWidths = [320, 800, 1600];
const limits = { limitInputPixels: maxPixels, failOn: "error" } as const;

/** Lets libvips read the formats that are taken and no other: SVG, GIF or PDF never reach a parser. */
export function closeOtherFormats(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["Jpeg", "Png", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
  });
}

/**
 * Decodes what was uploaded and makes it anew: whatever was beside the pixels (position, device, thumbnails, another
 * file behind the picture) is not in what comes out. Turned the way it was meant to be seen.
 */
export async function makePicture(
  bytes: Uint8Array,
  { id, content_type }: Announced,
): Promise<{ outcome: UploadOutcome; files: MadeFile[] }> {
  const rejected = (reason: RejectionReason) => ({
    outcome: { status: "rejected", reason } as const,
    files: [],
  });
  try {
    // Its head alone, which says how large it is before any memory is taken for its pixels.
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (typeOf(head) !== content_type) return rejected("wrong_type");
    if (head.width * head.height > maxPixels) return rejected("too_many_pixels");
    if ((head.pages ?? 1) > 1) return rejected("animated");

    const source = sharp(bytes, limits).autoOrient();
    const original = await made(source, id, "original", content_type);
    const fitting = variantWidths.filter((width) => width <= original.variant.width);
    const widths = fitting.length > 0 ? fitting : [original.variant.width];
    const variants = await Promise.all(
      widths.map((width) =>
        made(source.clone().resize({ width }), id, String(width), "image/webp"),
      ),
    );
    return {
      outcome: {
        status: "ready",
        picture: original.variant,
        variants: variants.map(({ variant }) => variant),
      },
      files: [original.file, ...variants.map(({ file }) => file)],
    };
  } catch {
    // Nothing but the bytes goes in, so that nothing but the bytes can be why it fails.
    return rejected("not_a_picture");
  }
}

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

async function made(
  source: Sharp,
  id: string,
  name: string,
  contentType: PictureType,
): Promise<{ file: MadeFile; variant: PictureVariant }> {
  const { data, info } = await encoded(source.clone(), contentType);
  const key = `${pictureFolder(id)}${name}.${pictureTypes[contentType]}`;
  return {
    file: { key, bytes: data, contentType },
    variant: {
      url: `media://${key}`,
      width: info.width,
      height: info.height,
      bytes: data.byteLength,
      content_type: contentType,
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
