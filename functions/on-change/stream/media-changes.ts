import { mediaItemsIn } from "#shared/domain/upload/media-item.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import type { UploadedPicture } from "#shared/domain/upload/upload.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import { MediaItems } from "#shared/storage/upload/media.ts";
import type { ItemChange } from "#shared/storage/stream.ts";
import type { Departure } from "../media-message.ts";
import type { PicturesOrdered, PicturesShown } from "../media-uses-message.ts";

const kinds = ["product", "sofa", "material", "page", "story", "home"];
const documents = [
  "faq_group",
  "published_menus",
  "published_announcement",
  "published_sofa_landing",
];

/** Drafts and what the public reads. Their old versions, carts and orders hold on to no picture. */
const showing = new Set([
  ...kinds.flatMap((kind) => [kind, `published_${kind}`]),
  ...documents,
  "categories",
]);

/** Which media items something came to show, or shows no longer. */
export function mediaUses({ pk, before, after }: ItemChange): PicturesShown | undefined {
  const item = after ?? before;
  const entity = String(item?.["entity"]);
  if (!showing.has(entity)) return undefined;
  const media = [...mediaItemsIn(before).symmetricDifference(mediaItemsIn(after))];
  if (media.length === 0) return undefined;
  const kind = entity.replace("published_", "");
  const id = item?.["id"] ?? item?.["slug"];
  return {
    pk,
    sk: String(item?.["sk"]),
    media,
    shown_by: { kind, id: typeof id === "string" ? id : kind },
  };
}

/** The pictures that a new order shows, which its cart held for a time only. */
export function picturesOrdered({ before, after }: ItemChange): PicturesOrdered | undefined {
  if (before !== undefined || after?.["entity"] !== "order") return undefined;
  const { items } = after as unknown as Pick<StoredOrder, "items">;
  const ordered = [...new Set(items.flatMap(({ upload_ids }) => upload_ids))];
  return ordered.length > 0 ? { ordered } : undefined;
}

const uploads = new Set<unknown>([MediaItems.name, FabricUploads.name]);

/** An upload whose row is gone, mostly because its time was up, and the files that it leaves behind. */
export function uploadGone({ before, after }: ItemChange): Departure | undefined {
  if (after !== undefined || !uploads.has(before?.["entity"])) return undefined;
  const { id, url, variants } = before as unknown as UploadedPicture & { id: string };
  const addresses = [...(url === null ? [] : [url]), ...variants.map((variant) => variant.url)];
  return { gone: { id, files: addresses.map((address) => address.slice("media://".length)) } };
}
