import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { mediaItemsIn } from "#shared/domain/upload/media-item.ts";
import { AnyItem, addMediaUse, removeMediaUse } from "#shared/storage/upload/media.ts";
import { keepUpload } from "#shared/storage/enquiry/upload-holds.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { MediaUsesMessage } from "../media-uses-message.ts";
import { workInGroups } from "../work-in-groups.ts";
import type { Deps } from "./deps.ts";

/**
 * Records which items show which media, and keeps the pictures of orders. Safe to repeat and to run late: each
 * message updates its rows to the item's current content. Messages about one item share a FIFO group, so they are
 * never processed concurrently.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workInGroups(Records, async (record) => {
    try {
      await work(MediaUsesMessage.parse(JSON.parse(record.body)), deps);
      return true;
    } catch (cause) {
      deps.log.warn("Media uses not stored yet", { message_id: record.messageId, cause });
      return false;
    }
  });
}

async function work(message: MediaUsesMessage, { table }: Deps): Promise<void> {
  if ("ordered" in message) {
    // A deleted upload has no row to keep.
    await Promise.all(message.ordered.map((id) => unlessRefused(table.write(keepUpload(id)))));
    return;
  }
  const { pk, sk, media, shown_by } = message;
  const shown = mediaItemsIn(await table.get(AnyItem, { pk, sk }));
  await Promise.all(
    media.map((id) =>
      table.write(shown.has(id) ? addMediaUse(id, pk, shown_by) : removeMediaUse(id, pk)),
    ),
  );
}
