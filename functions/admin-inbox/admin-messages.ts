import type { Shop } from "#shared/application/shop.ts";
import { mediaUrl } from "#shared/domain/upload/media.ts";
import type { Message, AdminMessage } from "#shared/domain/inbox/message.ts";
import { type AdminMessageMedia, isFileAvailable } from "#shared/domain/inbox/message-media.ts";
import { isFileType, isPictureType, fileTypes } from "#shared/domain/upload/media-type.ts";
import { pictureTypes } from "#shared/domain/upload/upload.ts";
import { staffNames } from "#shared/storage/enquiry/enquiries.ts";
import { messageFileKey } from "#shared/storage/inbox/message-files.ts";
import type * as z from "zod";

const linkSeconds = 15 * 60;

/** Messages with their authors' names and links to their files. */
export async function adminMessages(
  messages: readonly Message[],
  shop: Shop<"table" | "linkToInboxFile" | "publicFilesUrl">,
  now: Date,
): Promise<z.input<typeof AdminMessage>[]> {
  const nameOf = await staffNames(
    shop.table,
    messages.map(({ sent_by }) => sent_by),
  );
  return Promise.all(
    messages.map(async ({ sent_by, ...message }) => ({
      ...message,
      media: await mediaOf(message, shop, now),
      sent_by: sent_by === null ? null : nameOf(sent_by),
    })),
  );
}

async function mediaOf(
  message: Pick<Message, "conversation_id" | "id" | "at" | "media">,
  { linkToInboxFile: linkTo, publicFilesUrl }: Shop<"linkToInboxFile" | "publicFilesUrl">,
  now: Date,
): Promise<AdminMessageMedia | null> {
  if (!message.media) return null;
  const { address, ...media } = message.media;
  // Rows from before files were supported lack these members.
  const { status = "rejected", reason = "unavailable", caption = null } = media;
  const shown = { ...media, status, reason, caption, url: null, expires_at: null };
  if (address) return { ...shown, url: mediaUrl(address, publicFilesUrl) };
  if (status !== "ready") return shown;
  if (!isFileAvailable(message.media, message.at, now)) return { ...shown, status: "removed" };
  const filename = `${message.id}.${extensionOf(media)}`;
  return {
    ...shown,
    url: await linkTo(messageFileKey(message), { filename, lifetimeSeconds: linkSeconds, now }),
    expires_at: new Date(now.getTime() + linkSeconds * 1000).toISOString(),
  };
}

/** The extensions of audio that WhatsApp sends without a file name. */
const audioTypes: Readonly<Record<string, string>> = {
  "audio/aac": "aac",
  "audio/amr": "amr",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
};

function extensionOf({
  content_type,
  filename,
}: Pick<AdminMessageMedia, "content_type" | "filename">): string {
  const type = content_type ?? "";
  if (isPictureType(type)) return pictureTypes[type];
  if (isFileType(type)) return fileTypes[type].extension;
  const [, own] = /\.([A-Za-z0-9]{1,8})$/.exec(filename ?? "") ?? [];
  return own?.toLowerCase() ?? audioTypes[type] ?? "bin";
}
