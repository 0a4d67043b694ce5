import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { mediaItemsIn } from "#shared/domain/upload/media-item.ts";
import { AnyItem, addMediaUse, removeMediaUse } from "#shared/storage/upload/media.ts";
import { keepUpload } from "#shared/storage/enquiry/upload-holds.ts";
import { at } from "#shared/storage/reads.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { MediaUsesMessage, type PicturesShown } from "../queue-messages.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";

/** A message of this queue has one change, while `workThrough` expects a list. */
const MediaUsesChange = MediaUsesMessage.transform((message) => ({ changes: [message] }));

/**
 * Records which items show which media, and keeps the pictures of orders. Safe to repeat and to run late: each
 * message updates its rows to the item's current content. Messages about one item share a FIFO group, so they are
 * never processed concurrently.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workThrough(Records, MediaUsesChange, (messages) => work(messages, deps), deps.log);
}

async function work(messages: readonly MediaUsesMessage[], deps: Deps): Promise<void> {
  const shown = messages.filter((message) => "media" in message);
  const ordered = messages.flatMap((message) => ("ordered" in message ? message.ordered : []));
  // A deleted upload has no row to keep.
  const kept = ordered.map((id) => unlessRefused(deps.table.write(keepUpload(id))));
  await Promise.all([...kept, storeUses(shown, deps)]);
}

async function storeUses(messages: readonly PicturesShown[], { table }: Deps): Promise<void> {
  // Items of a list share their partition key, so messages are grouped by the whole key.
  const byItem = Map.groupBy(messages, ({ pk, sk }) => `${pk}#${sk}`);
  const changed = Array.from(byItem, ([item, [first, ...others]]) => ({
    item,
    ...first!,
    media: new Set([first!, ...others].flatMap(({ media }) => media)),
  }));
  const { items } = await table.getMany({ items: changed.map((each) => at(AnyItem, each)) });
  await table.writeMany(
    changed.flatMap(({ item, media, shown_by }, position) => {
      const current = mediaItemsIn(items[position]);
      return Array.from(media, (id) =>
        current.has(id) ? addMediaUse(id, item, shown_by) : removeMediaUse(id, item),
      );
    }),
  );
}
