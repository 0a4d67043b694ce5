import type { Shop } from "#shared/application/shop.ts";
import { type MediaItem, settledMediaItem } from "#shared/domain/upload/media-item.ts";
import { isFileType, isPictureType } from "#shared/domain/upload/media-type.ts";
import {
  type UploadOutcome,
  quarantineKey,
  settledUpload,
  uploadOfKey,
} from "#shared/domain/upload/upload.ts";
import { makePicture } from "#shared/files/make-picture.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { FabricUploads, settleFabricUpload } from "#shared/storage/upload/fabric-uploads.ts";
import { MediaItems, openMediaLibrary, replaceMediaItem } from "#shared/storage/upload/media.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { keptFile, mediaCache } from "./keep-file.ts";

type SettlingShop = Shop<"table" | "now" | "quarantineFiles" | "publishedFiles" | "fileKeeper">;

/**
 * Checks an uploaded file, publishes it or its picture, and records the outcome. May be repeated: a recorded outcome is
 * final, and the files are written under unique names before the outcome is recorded.
 */
export async function settleUploadedFile(
  { key, size }: { readonly key: string; readonly size: number },
  shop: SettlingShop,
): Promise<void> {
  const id = uploadOfKey(key);
  const upload = id && (await recordOf(id, shop));
  if (upload && upload.status === "pending") {
    await settle(upload.id, await checked(key, size, upload, shop), shop);
  }
  await shop.quarantineFiles.remove(key);
}

function recordOf(id: string, { table }: SettlingShop) {
  return id.startsWith("med_") ? table.get(MediaItems, { id }) : table.get(FabricUploads, { id });
}

/** Checks an upload and, unless it is rejected, writes its public files. */
async function checked(
  key: string,
  size: number,
  upload: Pick<MediaItem, "id" | "filename" | "content_type" | "bytes">,
  shop: SettlingShop,
): Promise<UploadOutcome> {
  const { id, content_type } = upload;
  if (size !== upload.bytes) return { status: "rejected", reason: "wrong_size" };
  if (isFileType(content_type)) return keptFile(key, { ...upload, content_type }, shop);
  const bytes = await shop.quarantineFiles.get(key);
  if (bytes.byteLength !== upload.bytes) return { status: "rejected", reason: "wrong_size" };
  if (!isPictureType(content_type)) return { status: "rejected", reason: "wrong_type" };
  const { outcome, files } = await makePicture(bytes, {
    id,
    content_type,
    isVisitors: !id.startsWith("med_"),
  });
  await Promise.all(
    files.map(({ key, bytes, contentType }) =>
      shop.publishedFiles.put(key, bytes, contentType, { cacheControl: mediaCache }),
    ),
  );
  return outcome;
}

/** Records the outcome of an upload, unless one is already recorded. */
async function settle(id: string, outcome: UploadOutcome, shop: SettlingShop): Promise<void> {
  const { table, now } = shop;
  if (id.startsWith("med_")) {
    const read = () => table.get(MediaItems, { id });
    return retryOnConflict(await read(), read, async (before) => {
      const after = before && settledMediaItem(before, outcome, now());
      if (before && after) await table.write(replaceMediaItem(before, after));
    });
  }
  const before = await table.get(FabricUploads, { id });
  const after = before && settledUpload(before, outcome);
  if (!after) return;
  // The write is refused if another delivery of the same message was faster.
  await unlessRefused(table.write(settleFabricUpload(after)));
}

/** Deletes the files of a deleted item, unless a record has used the item since. */
export async function removeFiles(
  { id, files }: { readonly id: string; readonly files: readonly string[] },
  shop: SettlingShop,
): Promise<void> {
  if ((await openMediaLibrary(shop.table, shop.now).usesOf(id)).length > 0) return;
  await shop.quarantineFiles.remove(quarantineKey(id));
  await Promise.all(files.map((file) => shop.publishedFiles.remove(file)));
}
