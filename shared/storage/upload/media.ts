import * as z from "zod";
import {
  MediaItem,
  MediaUse,
  distinctUses,
  mediaItemExpiresAt,
} from "../../domain/upload/media-item.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { RecordPage, PageOptions } from "../pages.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** The partition of the index that lists media items, sorted by id and therefore by creation time. */
const mediaList = "MEDIA";
export const allMedia = { index: "gsi1", partition: mediaList, newestFirst: true } as const;

const seconds = (ms: number) => Math.ceil(ms / 1000);
const mediaPartition = (id: string) => `MEDIA#${id}`;
const usePrefix = "USE#";
/** The partition of the index that lists the uses of media items, by item. */
const useList = "MEDIAUSES";
/** Sorts after every sort key of a use. */
const last = "~";

/**
 * The files of the media library. After a row is deleted, a consumer of the table's stream deletes the stored files.
 */
export const MediaItems = entity({
  name: "media_item",
  schema: MediaItem,
  key: ({ id }: { id: string }) => ({ pk: mediaPartition(id), sk: "MEDIA" }),
  indexes: {
    gsi1: ({ id, deleted_at }) => (deleted_at === null ? { pk: mediaList, sk: id } : undefined),
  },
  patterns: { gsi1: [[mediaList, "<id>"]] },
  ttl(item) {
    const expires = mediaItemExpiresAt(item);
    return expires === undefined ? undefined : seconds(expires);
  },
});

const StoredUse = MediaUse.extend({ media: z.string(), item: z.string() });
type StoredUse = z.output<typeof StoredUse>;

/** Records which item of the table shows a media item. Written by the consumer of the table's changes. */
export const MediaUses = entity({
  name: "media_use",
  schema: StoredUse,
  key: ({ media, item }: { media: string; item: string }) => ({
    pk: mediaPartition(media),
    sk: usePrefix + item,
  }),
  indexes: { gsi2: ({ media, item }) => ({ pk: useList, sk: `${media}#${item}` }) },
});

/** A stored item of any entity, which may show pictures. */
export const AnyItem = entity({
  name: "any",
  schema: z.looseObject({}),
  key: ({ pk, sk }: { pk: string; sk: string }) => ({ pk, sk }),
  readsOthers: true,
});

export interface MediaLibrary {
  /** A media item that is not deleted, with its uses; undefined if there is none. */
  find(id: string): Promise<{ item: MediaItem; used_in: MediaUse[] } | undefined>;
  /** One page, newest first. */
  list(page: PageOptions<MediaItem, MediaItem>): Promise<RecordPage<MediaItem>>;
  /** The uses of an item. */
  usesOf(id: string): Promise<MediaUse[]>;
  /** Reads the uses of all items on a page of the list concurrently. @returns the uses of the item with an id */
  usesOfPage(items: readonly MediaItem[]): Promise<(id: string) => MediaUse[]>;
}

export function openMediaLibrary(table: Table, now: () => Date): MediaLibrary {
  /** Whether an item exists for staff. DynamoDB deletes expired items with a delay. */
  const counts = (item: MediaItem) => {
    const expires = mediaItemExpiresAt(item);
    return item.deleted_at === null && (expires === undefined || expires > now().getTime());
  };
  return {
    async find(id) {
      const kinds = { items: MediaItems, uses: MediaUses };
      const { items, uses } = await table.getPartition(mediaPartition(id), kinds);
      const item = items.find(counts);
      return item && { item, used_in: distinctUses(uses) };
    },
    list: ({ matches = () => true, ...page }) =>
      table.page(MediaItems, allMedia, {
        ...page,
        matches: (item) => counts(item) && matches(item),
      }),
    async usesOfPage(items) {
      const ids = items.map(({ id }) => id).toSorted();
      const [lowest, highest] = [ids[0], ids.at(-1)];
      if (lowest === undefined) return () => [];
      const range = {
        index: "gsi2",
        partition: useList,
        between: [`${lowest}#`, `${highest}#${last}`],
      } as const;
      const { records: uses } = await table.page(MediaUses, range);
      const byItem = Map.groupBy(uses, ({ media }) => media);
      return (id) => distinctUses(byItem.get(id) ?? []);
    },
    async usesOf(id) {
      const range = { partition: mediaPartition(id), prefix: usePrefix };
      return distinctUses((await table.page(MediaUses, range)).records);
    },
  };
}

export const addMediaItem = (item: MediaItem): Write => put(MediaItems, item, isNew);

/** Stores a media item, if it is unchanged since it was read. */
export const replaceMediaItem = (before: MediaItem, after: MediaItem): Write =>
  put(MediaItems, after, is("version", before.version));

/** Records that an item of the table shows a media item. @param item the key of the item, as one string */
export const addMediaUse = (media: string, item: string, use: MediaUse): Write =>
  put(MediaUses, { media, item, ...use });

export const removeMediaUse = (media: string, item: string): Write =>
  remove(MediaUses, { media, item });
