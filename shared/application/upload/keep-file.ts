import {
  hasSignature,
  signatureBytes,
  attachmentNamed,
  type FileType,
  fileTypes,
} from "#shared/domain/upload/media-type.ts";
import type { MediaItem } from "#shared/domain/upload/media-item.ts";
import { type UploadOutcome, pictureFolder } from "#shared/domain/upload/upload.ts";
import type { FileKeeper } from "#shared/files/file-keeper.ts";

/** New content always gets a new file name, hence `immutable`. Deleted files disappear from caches within a day. */
export const mediaCache = "public, max-age=86400, immutable";

interface UploadedFile extends Pick<MediaItem, "id" | "filename" | "bytes"> {
  readonly content_type: FileType;
}

/** Publishes a video, 3D model or PDF unchanged, if its first bytes match its type. */
export async function keptFile(
  quarantineKey: string,
  { id, filename, bytes, content_type }: UploadedFile,
  { fileKeeper: files }: { readonly fileKeeper: FileKeeper },
): Promise<UploadOutcome> {
  const head = await files.head(quarantineKey, signatureBytes);
  if (head.size !== bytes) return { status: "rejected", reason: "wrong_size" };
  if (!hasSignature(content_type, head.bytes, head.size)) {
    return { status: "rejected", reason: "wrong_type" };
  }
  const { extension } = fileTypes[content_type];
  const key = `${pictureFolder(id)}original.${extension}`;
  await files.keep(quarantineKey, head.etag, {
    key,
    contentType: content_type,
    cacheControl: mediaCache,
    contentDisposition: content_type.startsWith("video/")
      ? "inline"
      : attachmentNamed(filename, extension),
  });
  return {
    status: "ready",
    url: `media://${key}`,
    bytes,
    width: null,
    height: null,
    variants: [],
  };
}
