import * as z from "zod";
import {
  MediaItem,
  MediaUse,
  distinctUses,
  mediaItemExpiresAt,
} from "../../domain/upload/media-item.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** The partition of the index that lists media items, by id and so by time. */
export const mediaList = "MEDIA";

const seconds = (ms: number) => Math.ceil(ms / 1000);
const mediaPartition = (id: string) => `MEDIA#${id}`;
const usePrefix = "USE#";
/** The partition of the index that lists what shows media items, by their ids. */
const useList = "MEDIAUSES";
/** Sorts behind every key of a use. */
const last = "~";

/** Its files go when the row does: the reader of the table's stream sees to that. */
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

/** Says which item of the table shows a media item; kept by the consumer of the table's changes. */
export const MediaUses = entity({
  name: "media_use",
  schema: StoredUse,
  key: ({ media, item }: { media: string; item: string }) => ({
    pk: mediaPartition(media),
    sk: usePrefix + item,
  }),
  indexes: { gsi2: ({ media, item }) => ({ pk: useList, sk: `${media}#${item}` }) },
});

/** An item that may show pictures, of whatever kind, as it is stored. */
export const AnyItem = entity({
  name: "any",
  schema: z.looseObject({}),
  key: ({ pk, sk }: { pk: string; sk: string }) => ({ pk, sk }),
  patterns: {
    table: [
      ["PRODUCT#<id>", "PRODUCT"],
      ["SOFA#<id>", "SOFA"],
      ["MATERIAL#<id>", "MATERIAL"],
      ["PAGE#<id>", "<sk>"],
      ["STORY#<id>", "<sk>"],
      ["HOME", "<sk>"],
      ["LIVE#<kind>", "LIVE"],
    ],
  },
  readsOthers: true,
});

export interface MediaLibrary {
  /** An item that is not deleted, and what shows it; undefined when there is none. */
  find(id: string): Promise<{ item: MediaItem; used_in: MediaUse[] } | undefined>;
  /** One page, newest first. */
  list(page: {
    limit: number;
    after: Record<string, unknown> | undefined;
  }): Promise<{ records: MediaItem[]; next: Record<string, unknown> | undefined }>;
  /** What shows it. */
  usesOf(id: string): Promise<MediaUse[]>;
  /** What shows each item of a page of the list, all read at once; by id. */
  usesOfPage(items: readonly MediaItem[]): Promise<(id: string) => MediaUse[]>;
}

export function openMediaLibrary(table: Table, now: () => Date): MediaLibrary {
  /** The table takes its time to delete what has expired. */
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
    async list(page) {
      const range = { index: "gsi1", partition: mediaList, newestFirst: true } as const;
      const { records, next } = await table.query(MediaItems, { ...range, ...page });
      return { records: records.filter(counts), next };
    },
    async usesOfPage(items) {
      const ids = items.map(({ id }) => id).toSorted();
      const [lowest, highest] = [ids[0], ids.at(-1)];
      if (lowest === undefined) return () => [];
      const range = {
        index: "gsi2",
        partition: useList,
        between: [`${lowest}#`, `${highest}#${last}`],
      } as const;
      const uses: StoredUse[] = [];
      let after: Record<string, unknown> | undefined;
      do {
        const page = await table.query(MediaUses, { ...range, after });
        uses.push(...page.records);
        after = page.next;
      } while (after);
      const byItem = Map.groupBy(uses, ({ media }) => media);
      return (id) => distinctUses(byItem.get(id) ?? []);
    },
    async usesOf(id) {
      const range = { partition: mediaPartition(id), prefix: usePrefix };
      return distinctUses((await table.query(MediaUses, range)).records);
    },
  };
}

export const addMediaItem = (item: MediaItem): Write => put(MediaItems, item, isNew);

/** Stores an item over the one that was read, if nobody wrote it since. */
export const replaceMediaItem = (before: MediaItem, after: MediaItem): Write =>
  put(MediaItems, after, is("version", before.version));

/** @param item the key of what shows the picture, in one unit */
export const addMediaUse = (media: string, item: string, use: MediaUse): Write =>
  put(MediaUses, { media, item, ...use });

export const removeMediaUse = (media: string, item: string): Write =>
  remove(MediaUses, { media, item });
