import { mediaItemsIn } from "#shared/domain/upload/media-item.ts";
import type { MediaUsesMessage, PicturesShown } from "#shared/queues/queue-messages.ts";
import { keepUpload } from "#shared/storage/enquiry/upload-holds.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { AnyItem, addMediaUse, removeMediaUse } from "#shared/storage/upload/media.ts";
import { unlessRefused } from "#shared/storage/writes.ts";

/**
 * Records which items show which media, and keeps the pictures of orders. May be repeated and run late: each message
 * updates its rows to the item's current content. Not for concurrent messages about one item.
 */
export async function storeMediaUses(
  messages: readonly MediaUsesMessage[],
  table: Table,
): Promise<void> {
  const shown = messages.filter((message) => "media" in message);
  const ordered = messages.flatMap((message) => ("ordered" in message ? message.ordered : []));
  // A deleted upload has no row to keep.
  const kept = ordered.map((id) => unlessRefused(table.write(keepUpload(id))));
  await Promise.all([...kept, storeUses(shown, table)]);
}

async function storeUses(messages: readonly PicturesShown[], table: Table): Promise<void> {
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
