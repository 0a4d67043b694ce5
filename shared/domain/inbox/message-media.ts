import * as z from "zod";
import { MediaAddress } from "../upload/media.ts";
import type { MediaItem } from "../upload/media-item.ts";
import { NullableTimestamp } from "../base/text.ts";
import { RejectionReason } from "../upload/upload.ts";

/** How many days a received file is kept. */
export const fileLifetimeDays = 180;

/** Maximum size of a received file. */
export const maxReceivedBytes = 16 * 1024 * 1024;

const Status = z.enum(["pending", "ready", "rejected", "removed"]);
const Reason = z.enum([...RejectionReason.options, "too_large", "unavailable"]);
export type FileRejection = z.output<typeof Reason>;

/** A file of a message, as stored. */
export const MessageMedia = z.object({
  id: z.string(),
  content_type: z.string().nullable(),
  filename: z.string().nullable(),
  // Earlier releases stored no files, so their messages have no status.
  status: Status.optional(),
  reason: Reason.nullable().optional(),
  caption: z.string().nullable().optional(),
  /** The public address of a file that staff send. A received file has none: it is in a private bucket. */
  address: MediaAddress.nullable().optional(),
});
export type MessageMedia = z.output<typeof MessageMedia>;

export const AdminMessageMedia = MessageMedia.omit({ address: true })
  .extend({
    id: z.string().meta({
      description:
        "WhatsApp's id for a file from the customer, the media item's id for a file from staff",
    }),
    status: Status.meta({
      description:
        "`pending` while the file is fetched and checked; `removed` after 180 days, or when " +
        "the customer's account is deleted",
    }),
    reason: Reason.nullable().meta({ description: "Why the file was rejected" }),
    caption: z.string().nullable(),
    url: z.string().nullable().meta({ description: "The file, while `status` is `ready`" }),
    expires_at: NullableTimestamp.meta({
      description: "When `url` expires; null if there is no `url` or it does not expire",
    }),
  })
  .meta({ id: "MessageMedia" });
export type AdminMessageMedia = z.output<typeof AdminMessageMedia>;

/** The result of fetching a received file. */
export type FileOutcome =
  | { readonly status: "ready" }
  | { readonly status: "rejected"; readonly reason: FileRejection };

/** A received file before it is fetched. */
export const receivedMedia = (
  file: Pick<MessageMedia, "id" | "content_type" | "filename"> & { caption: string | null },
): MessageMedia => ({ ...file, status: "pending", reason: null, address: null });

/** Whether the file of a customer's message is available now. */
export function isFileAvailable(media: MessageMedia, at: string, now: Date): boolean {
  const ends = Date.parse(at) + fileLifetimeDays * 24 * 3_600_000;
  return media.status === "ready" && now.getTime() < ends;
}

/** The media types that WhatsApp accepts, with their message kind and maximum size. */
const sendable: Readonly<Record<string, { kind: "image" | "document"; maxBytes: number }>> = {
  "image/jpeg": { kind: "image", maxBytes: 5 * 1024 * 1024 },
  "image/png": { kind: "image", maxBytes: 5 * 1024 * 1024 },
  "application/pdf": { kind: "document", maxBytes: 100 * 1024 * 1024 },
};

export interface FileToSend {
  readonly kind: "image" | "document";
  readonly media: MessageMedia;
}

/** The file of a media item as WhatsApp receives it, or the problem that prevents sending it. */
export function fileToSend(
  item: MediaItem | undefined,
  caption: string | null,
): FileToSend | { readonly problem: string } {
  if (!item || item.deleted_at !== null) {
    return { problem: "The selected media id is invalid." };
  }
  const { id, content_type, filename, url: address, bytes } = item;
  if (item.status !== "ready" || address === null) {
    return { problem: "The media item is not ready." };
  }
  const rule = sendable[content_type];
  if (!rule) return { problem: "WhatsApp accepts JPEG and PNG pictures and PDFs." };
  if (bytes > rule.maxBytes) return { problem: "WhatsApp accepts pictures of up to 5 MB." };
  const media = { id, content_type, filename, caption, address, reason: null };
  return { kind: rule.kind, media: { ...media, status: "ready" } };
}
