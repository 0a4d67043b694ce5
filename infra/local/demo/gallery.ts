import type { MediaItem } from "#shared/domain/upload/media-item.ts";
import type { StoredMediaType } from "#shared/domain/upload/media-type.ts";
import type { MediaAddress, StoredPicture } from "#shared/domain/upload/media.ts";
import { demoId, founded } from "./identity.ts";
import { canvas } from "./pictures/svg.ts";

/** A file of the demo shop's media library. Its bytes are created only when the demo shop is stored. */
export interface DemoFile {
  readonly id: string;
  /** Storage key of the file's bytes. */
  readonly key: string;
  readonly filename: string;
  readonly contentType: StoredMediaType;
  readonly alt: string;
  readonly size: { readonly width: number; readonly height: number } | null;
  bytes(): Uint8Array;
}

/** A drawing of the demo shop, in SVG. */
export interface Drawing extends DemoFile {
  /** The SVG document. */
  draw(): string;
}

/** Derives id, storage key and file name from the name of a file. */
export const placeOf = (name: string, extension: string) => {
  const id = demoId("med", name);
  const filename = `${name.replaceAll("/", "-")}.${extension}`;
  return { id, key: `uploads/${id}/original.${extension}`, filename };
};

/** @param name a unique name, such as `products/kaveri-lounge-chair/1` */
export const drawing = (name: string, alt: string, draw: (alt: string) => string): Drawing => ({
  ...placeOf(name, "svg"),
  contentType: "image/svg+xml",
  alt,
  size: canvas,
  draw: () => draw(alt),
  bytes: () => new TextEncoder().encode(draw(alt)),
});

export const demoFile = (
  name: string,
  { extension, ...file }: Pick<DemoFile, "contentType" | "alt" | "bytes"> & { extension: string },
): DemoFile => ({ ...placeOf(name, extension), ...file, size: null });

/** The file's address, as stored records contain it. */
export const addressOf = ({ key }: Pick<DemoFile, "key">): MediaAddress => `media://${key}`;

/** The drawing as records refer to it. */
export const pictureOf = (drawing: Drawing): StoredPicture => ({
  url: addressOf(drawing),
  alt: drawing.alt,
  width: canvas.width,
  height: canvas.height,
});

/** The record of a file as a staff upload creates it. Its tag is the first word of its name. */
export function libraryItem(file: DemoFile, bytes: number): MediaItem {
  const at = founded.toISOString();
  return {
    id: file.id,
    filename: file.filename,
    content_type: file.contentType,
    bytes,
    status: "ready",
    reason: null,
    url: addressOf(file),
    width: file.size?.width ?? null,
    height: file.size?.height ?? null,
    variants: [],
    alt: file.alt,
    tags: [file.filename.split("-", 1)[0] as string],
    version: 2,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
}
