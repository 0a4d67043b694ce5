import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { type MediaItem, settledMediaItem } from "#shared/domain/upload/media-item.ts";
import { isFileType, isPictureType } from "#shared/domain/upload/media-type.ts";
import {
  type UploadOutcome,
  quarantineKey,
  settledUpload,
  uploadOfKey,
} from "#shared/domain/upload/upload.ts";
import { FabricUploads, settleFabricUpload } from "#shared/storage/upload/fabric-uploads.ts";
import { MediaItems, replaceMediaItem } from "#shared/storage/upload/media.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { because, causeOfMessage } from "#shared/runtime/cause.ts";
import { type UploadDeleted, MediaMessage } from "../queue-messages.ts";
import type { Deps } from "./deps.ts";
import { keptFile } from "./kept-file.ts";
import { mediaCache } from "./media-cache.ts";
import { makePicture } from "../picture.ts";

/**
 * Checks uploads and removes files without a record. Safe to repeat: a recorded outcome is final, and the files are
 * written under unique names before the outcome is recorded.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  // The messages are processed one after the other, because each picture may need much of the memory.
  for (const record of Records) {
    // Messages from S3 name no cause, so the rows that they change record `upload` as the cause.
    const cause = causeOfMessage(record) ?? { trigger: "upload" };
    if (!(await because(cause, () => take(record, deps)))) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function take({ messageId, body }: SQSRecord, deps: Deps): Promise<boolean> {
  try {
    await work(MediaMessage.parse(JSON.parse(body)), deps);
    return true;
  } catch (cause) {
    deps.log.warn("Upload or media deletion not processed: the queue retries it", {
      message_id: messageId,
      cause,
    });
    return false;
  }
}

async function work(message: MediaMessage, deps: Deps): Promise<void> {
  if ("gone" in message) return removeFiles(message, deps);
  if (!("Records" in message)) return;
  for (const { s3 } of message.Records) await inspect(s3.object, deps);
}

async function inspect({ key, size }: { key: string; size: number }, deps: Deps): Promise<void> {
  const id = uploadOfKey(key);
  const upload = id && (await recordOf(id, deps));
  if (upload && upload.status === "pending") {
    await settle(upload.id, await checked(key, size, upload, deps), deps);
  }
  await deps.quarantine.remove(key);
}

function recordOf(id: string, { table }: Deps) {
  return id.startsWith("med_") ? table.get(MediaItems, { id }) : table.get(FabricUploads, { id });
}

/** Checks an upload and, unless it is rejected, writes its public files. */
async function checked(
  key: string,
  size: number,
  upload: Pick<MediaItem, "id" | "filename" | "content_type" | "bytes">,
  deps: Deps,
): Promise<UploadOutcome> {
  const { id, content_type } = upload;
  if (size !== upload.bytes) return { status: "rejected", reason: "wrong_size" };
  if (isFileType(content_type)) return keptFile(key, { ...upload, content_type }, deps);
  const bytes = await deps.quarantine.get(key);
  if (bytes.byteLength !== upload.bytes) return { status: "rejected", reason: "wrong_size" };
  if (!isPictureType(content_type)) return { status: "rejected", reason: "wrong_type" };
  const { outcome, files } = await makePicture(bytes, { id, content_type });
  await Promise.all(
    files.map(({ key, bytes, contentType }) =>
      deps.published.put(key, bytes, contentType, { cacheControl: mediaCache }),
    ),
  );
  return outcome;
}

/** Records the outcome of an upload, unless one is already recorded. */
async function settle(id: string, outcome: UploadOutcome, deps: Deps): Promise<void> {
  const { table, now } = deps;
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
async function removeFiles({ gone: { id, files } }: UploadDeleted, deps: Deps): Promise<void> {
  if ((await deps.media.usesOf(id)).length > 0) return;
  await deps.quarantine.remove(quarantineKey(id));
  await Promise.all(files.map((file) => deps.published.remove(file)));
}
