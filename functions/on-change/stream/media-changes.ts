import { mediaItemsIn } from "#shared/domain/upload/media-item.ts";
import { projection } from "#shared/storage/entity.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import { MediaItems } from "#shared/storage/upload/media.ts";
import { type ItemChange, imageOf } from "#shared/storage/stream.ts";
import type {
  PicturesOrdered,
  PicturesShown,
  UploadDeleted,
} from "#shared/queues/queue-messages.ts";

/**
 * Returns the media items that an item of the table has started or stopped showing; undefined if there are none. Only
 * drafts and published copies count: earlier versions, carts and orders do not.
 */
export function picturesShown({ pk, before, after }: ItemChange): PicturesShown | undefined {
  const media = [...mediaItemsIn(before).symmetricDifference(mediaItemsIn(after))];
  if (media.length === 0) return undefined;
  const item = after ?? before;
  const kind = String(item?.["entity"]).replace("published_", "");
  const id = item?.["id"] ?? item?.["slug"];
  return {
    pk,
    sk: String(item?.["sk"]),
    media,
    shown_by: { kind, id: typeof id === "string" ? id : kind },
  };
}

const OrderedItems = projection(Orders, ["items"]);

/**
 * Returns the visitors' uploads in a new order; undefined if there are none. Uploads in a cart expire, but an order
 * keeps them.
 */
export function picturesOrdered({ before, after }: ItemChange): PicturesOrdered | undefined {
  const order = before === undefined ? imageOf(OrderedItems, after) : undefined;
  if (!order) return undefined;
  const { items } = order;
  const ordered = [...new Set(items.flatMap(({ upload_ids }) => upload_ids))];
  return ordered.length > 0 ? { ordered } : undefined;
}

const LibraryFiles = projection(MediaItems, ["id", "url", "variants"]);
const FabricFiles = projection(FabricUploads, ["id", "url", "variants"]);

/**
 * Returns a deleted upload and its files, which must be deleted too; undefined for other changes. Most of these uploads
 * have expired.
 */
export function uploadDeleted({ before, after }: ItemChange): UploadDeleted | undefined {
  if (after !== undefined) return undefined;
  const gone = imageOf(LibraryFiles, before) ?? imageOf(FabricFiles, before);
  if (!gone) return undefined;
  const { id, url, variants } = gone;
  const addresses = [...(url === null ? [] : [url]), ...variants.map((variant) => variant.url)];
  return { gone: { id, files: addresses.map((address) => address.slice("media://".length)) } };
}
