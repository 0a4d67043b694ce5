import { namesOf } from "../base/members.ts";
import * as z from "zod";
import { MediaAddress } from "./media.ts";
import { Text, Timestamp } from "../base/text.ts";

/** The accepted picture types, with their extensions. */
export const pictureTypes = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/avif": "avif",
} as const;
export const PictureType = z.enum(namesOf(pictureTypes));
export type PictureType = z.output<typeof PictureType>;

const scaledWidths = [320, 800, 1600];

/** The widths of the WebP copies of a picture: never above its own. */
export function variantWidths(width: number): number[] {
  const fitting = scaledWidths.filter((each) => each <= width);
  return fitting.length > 0 ? fitting : [width];
}

export const maxUploadBytes = 10 * 1024 * 1024;
/** Maximum file size in a request; larger files are uploaded directly to S3. */
export const maxFormFileBytes = 4 * 1024 * 1024;
/**
 * Maximum number of pixels according to the picture's header. A small file can unpack to gigabytes, so a larger picture
 * is refused before it is unpacked.
 */
export const maxPixels = 25_000_000;
/** The same for a visitor's AVIF, whose pixels cost many times as much to unpack as those of other types. */
export const maxVisitorAvifPixels = 12_000_000;
/** WebP's maximum side length; every variant is WebP. */
export const maxSide = 16_383;
/**
 * How long an upload may stay unfinished, and how long a finished upload is kept while no cart, quote or order uses it.
 */
export const unfinishedLifetimeMs = 24 * 3_600_000;

/** The client's description of the file that it will upload. */
export const UploadRequest = z.strictObject({
  filename: Text(200),
  content_type: PictureType,
  size: z.int().min(1).max(maxUploadBytes).meta({ description: "Bytes" }),
});
export type UploadRequest = z.output<typeof UploadRequest>;

/** A form that is sent directly to S3: first the fields, then the file as `file`. */
export const UploadForm = z
  .object({
    url: z.string().meta({ description: "URL to POST the form to, as multipart/form-data" }),
    fields: z.record(z.string(), z.string()),
    expires_at: Timestamp,
  })
  .meta({ id: "UploadForm" });
export type UploadForm = z.output<typeof UploadForm>;

/** The messages for refused files: the reason, and what to do. */
const rejections = {
  not_a_picture:
    "The file cannot be read as a picture. Export it again as JPEG, PNG, WebP or AVIF.",
  wrong_type: "The file does not have the announced type. Upload it again with its real type.",
  wrong_size: "The file does not have the announced size. Upload it again.",
  too_many_pixels:
    "The picture has more than 25 megapixels. Make it smaller, then upload it again.",
  avif_too_large:
    "The picture has more than 12 megapixels. Make it smaller or export it as JPEG, then upload it again.",
  too_long: "A side of the picture is longer than 16,383 pixels. Crop it or make it smaller.",
  animated: "The picture is animated or has several pages. Upload a single still picture.",
  took_too_long:
    "The picture took too long to process. Export it again as a simple JPEG, then upload that.",
} as const;
export const RejectionReason = z.enum(namesOf(rejections));
export type RejectionReason = z.output<typeof RejectionReason>;

/** The reason of a refusal in words; responses add it to the record. */
export const RejectionMessage = z.object({
  reason_message: z.string().nullable().meta({
    description: "Why the file was rejected and what to do, in words",
    example: rejections.too_many_pixels,
  }),
});

export const withRejectionMessage = <Upload extends Pick<UploadedPicture, "reason">>(
  upload: Upload,
): Upload & z.output<typeof RejectionMessage> => ({
  ...upload,
  reason_message: upload.reason && rejections[upload.reason],
});

export const PictureVariant = z
  .object({
    url: MediaAddress,
    width: z.int().min(1),
    height: z.int().min(1),
    bytes: z.int().min(1),
    content_type: PictureType,
  })
  .meta({ id: "PictureVariant" });
export type PictureVariant = z.output<typeof PictureVariant>;

/** The data of an uploaded picture: as announced until it is ready, then as measured and re-encoded. */
export const UploadedPicture = z.object({
  filename: Text(200),
  content_type: PictureType,
  bytes: z.int().min(1),
  status: z.enum(["pending", "ready", "rejected"]),
  reason: RejectionReason.nullable().meta({ description: "Why the file was rejected" }),
  url: MediaAddress.nullable(),
  width: z.int().min(1).nullable(),
  height: z.int().min(1).nullable(),
  variants: z.array(PictureVariant).meta({ description: "WebP copies, narrowest first" }),
  created_at: Timestamp,
});
export type UploadedPicture = z.output<typeof UploadedPicture>;

/** The result of checking the bytes. */
export type UploadOutcome =
  | { readonly status: "rejected"; readonly reason: RejectionReason }
  | ({ readonly status: "ready" } & Pick<
      UploadedPicture,
      "url" | "bytes" | "width" | "height" | "variants"
    >);

/** The record of an announced file of any type. */
export function pendingUpload<Type extends string>(
  { filename, content_type, size }: { filename: string; content_type: Type; size: number },
  now: Date,
): Omit<UploadedPicture, "content_type"> & { content_type: Type } {
  return {
    filename,
    content_type,
    bytes: size,
    status: "pending",
    reason: null,
    url: null,
    width: null,
    height: null,
    variants: [],
    created_at: now.toISOString(),
  };
}

/** The record after its bytes were checked; undefined if they were checked before: a result is final. */
export function settledUpload<Upload extends Pick<UploadedPicture, "status">>(
  before: Upload,
  outcome: UploadOutcome,
): Upload | undefined {
  return before.status === "pending" ? { ...before, ...outcome } : undefined;
}

/** The key of an upload in the quarantine bucket, where files wait until they are checked. */
export const quarantineKey = (id: string) => `quarantine/${id}`;

const waiting = /^quarantine\/((?:upl|med)_[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The id of the upload with this quarantine key; undefined if the key has another form. */
export const uploadOfKey = (key: string): string | undefined => waiting.exec(key)?.[1];

/** The prefix of all objects made from an upload. */
export const pictureFolder = (id: string) => `uploads/${id}/`;
