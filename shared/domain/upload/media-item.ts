import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Tags, Text, Timestamp } from "../base/text.ts";
import { MediaType, StoredMediaType, fileTypes, isFileType } from "./media-type.ts";
import {
  RejectionMessage,
  UploadRequest,
  UploadedPicture,
  type UploadOutcome,
  maxUploadBytes,
  pendingUpload,
  settledUpload,
  unfinishedLifetimeMs,
  withRejectionMessage,
} from "./upload.ts";

const Alt = Text(200)
  .nullable()
  .meta({ description: "Text alternative for people who cannot see the media" });

/** A file of the shop, for use as a picture, film, model or manual. */
export const MediaItem = UploadedPicture.extend({
  id: Id("med"),
  content_type: StoredMediaType,
  width: UploadedPicture.shape.width.meta({ description: "Pixels; null unless it is a picture" }),
  height: UploadedPicture.shape.height.meta({ description: "Pixels; null unless it is a picture" }),
  alt: Alt,
  tags: Tags,
  version: z.int().min(1),
  updated_at: Timestamp,
  deleted_at: Timestamp.nullable(),
});
export type MediaItem = z.output<typeof MediaItem>;

/** A record that shows a picture, in its draft or published copy. */
export const MediaUse = z.object({ kind: z.string(), id: z.string() }).meta({ id: "MediaUse" });
export type MediaUse = z.output<typeof MediaUse>;

export const AdminMediaItem = MediaItem.omit({ deleted_at: true })
  .extend({ ...RejectionMessage.shape, used_in: z.array(MediaUse) })
  .meta({ id: "MediaItem" });
export type AdminMediaItem = z.output<typeof AdminMediaItem>;

export const adminMediaItem = (item: MediaItem, used_in: MediaUse[]): AdminMediaItem => ({
  ...withRejectionMessage(item),
  used_in,
});

const largest = Math.max(...Object.values(fileTypes).map(({ maxBytes }) => maxBytes));

export const NewMediaItem = UploadRequest.extend({
  content_type: MediaType,
  size: z.int().min(1).max(largest).meta({
    description: "Bytes; pictures and PDFs up to 10 MB, 3D models up to 25 MB, videos up to 50 MB",
  }),
  alt: Alt.default(null),
  tags: Tags.default([]),
}).superRefine(({ content_type, size }, context) => {
  const most = isFileType(content_type) ? fileTypes[content_type].maxBytes : maxUploadBytes;
  if (size <= most) return;
  const message = `A file of type ${content_type} must not exceed ${most / (1024 * 1024)} MB.`;
  context.addIssue({ code: "custom", path: ["size"], message });
});
export type NewMediaItem = z.output<typeof NewMediaItem>;

export const MediaItemPatch = z.strictObject({ alt: Alt.optional(), tags: Tags.optional() });
export type MediaItemPatch = z.output<typeof MediaItemPatch>;

export function newMediaItem(
  input: NewMediaItem,
  { id, now }: { id: string; now: Date },
): MediaItem {
  return {
    ...pendingUpload(input, now),
    id,
    alt: input.alt,
    tags: input.tags,
    version: 1,
    updated_at: now.toISOString(),
    deleted_at: null,
  };
}

const nextVersion = (item: MediaItem, now: Date): MediaItem => ({
  ...item,
  version: item.version + 1,
  updated_at: now.toISOString(),
});

export function changedMediaItem(item: MediaItem, patch: MediaItemPatch, now: Date): MediaItem {
  const { alt = item.alt, tags = item.tags } = patch;
  return nextVersion({ ...item, alt, tags }, now);
}

export function deletedMediaItem(item: MediaItem, now: Date): MediaItem {
  return nextVersion({ ...item, deleted_at: now.toISOString() }, now);
}

/** The item after its bytes were checked; undefined if they were checked before. */
export function settledMediaItem(
  item: MediaItem,
  outcome: UploadOutcome,
  now: Date,
): MediaItem | undefined {
  const settled = settledUpload(item, outcome);
  return settled && nextVersion(settled, now);
}

const deletedLifetimeMs = 30 * 24 * 3_600_000;

/** When the item and its files are deleted permanently, in ms; undefined if they are kept. */
export function mediaItemExpiresAt(
  item: Pick<MediaItem, "status" | "created_at" | "deleted_at">,
): number | undefined {
  if (item.deleted_at !== null) return Date.parse(item.deleted_at) + deletedLifetimeMs;
  return item.status === "ready" ? undefined : Date.parse(item.created_at) + unfinishedLifetimeMs;
}

/** Each record once, whether its draft, its published copy or both show the picture. */
export function distinctUses(uses: readonly MediaUse[]): MediaUse[] {
  const byName = new Map(uses.map(({ kind, id }) => [`${kind}#${id}`, { kind, id }]));
  return [...byName.values()].toSorted((one, other) =>
    `${one.kind}#${one.id}` < `${other.kind}#${other.id}` ? -1 : 1,
  );
}

const address = /media:\/\/uploads\/(med_[0-7][0-9A-HJKMNP-TV-Z]{25})\//g;

/** Ids of the media items whose addresses occur anywhere in a record, including its HTML. */
export function mediaItemsIn(record: unknown): Set<string> {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === "string") {
      for (const [, id] of value.matchAll(address)) ids.add(id ?? "");
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk(record);
  return ids;
}
