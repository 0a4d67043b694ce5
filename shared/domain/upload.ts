import * as z from "zod";
import { MediaAddress } from "./media.ts";
import { Text, Timestamp } from "./text.ts";

/** The pictures that are taken, and how the names of their files end. */
export const pictureTypes = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/avif": "avif",
} as const;
export const PictureType = z.enum(
  Object.keys(pictureTypes) as [keyof typeof pictureTypes, ...(keyof typeof pictureTypes)[]],
);
export type PictureType = z.output<typeof PictureType>;

export const maxUploadBytes = 10 * 1024 * 1024;
/** What one call may carry; larger files go straight to storage. */
export const maxFormFileBytes = 4 * 1024 * 1024;
/** A picture of more pixels is refused unread: a small file can unpack to gigabytes. */
export const maxPixels = 50_000_000;
/** How long an upload may wait to be finished, and one that nothing holds on to may stay. */
export const unfinishedLifetimeMs = 24 * 3_600_000;

/** What a client says of the file that it is about to upload. */
export const UploadRequest = z.strictObject({
  filename: Text(200),
  content_type: PictureType,
  size: z.int().min(1).max(maxUploadBytes).meta({ description: "Bytes" }),
});
export type UploadRequest = z.output<typeof UploadRequest>;

/** A form that storage takes by itself: the fields, then the file as `file`. */
export const UploadForm = z
  .object({
    url: z.string().meta({ description: "URL to POST the form to, as multipart/form-data" }),
    fields: z.record(z.string(), z.string()),
    expires_at: Timestamp,
  })
  .meta({ id: "UploadForm" });
export type UploadForm = z.output<typeof UploadForm>;

/** Why a picture is refused. */
export const RejectionReason = z.enum([
  "not_a_picture",
  "wrong_type",
  "wrong_size",
  "too_many_pixels",
  "animated",
]);
export type RejectionReason = z.output<typeof RejectionReason>;

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

/** What is known of an uploaded picture: as announced until it is ready, then as it was found and made anew. */
export const UploadedPicture = z.object({
  filename: Text(200),
  content_type: PictureType,
  bytes: z.int().min(1),
  status: z.enum(["pending", "ready", "rejected"]),
  reason: RejectionReason.nullable().meta({ description: "Why it was rejected" }),
  url: MediaAddress.nullable(),
  width: z.int().min(1).nullable(),
  height: z.int().min(1).nullable(),
  variants: z.array(PictureVariant).meta({ description: "WebP, the narrowest first" }),
  created_at: Timestamp,
});
export type UploadedPicture = z.output<typeof UploadedPicture>;

/** What became of the bytes. */
export type UploadOutcome =
  | { readonly status: "rejected"; readonly reason: RejectionReason }
  | {
      readonly status: "ready";
      readonly picture: PictureVariant;
      readonly variants: PictureVariant[];
    };

export function pendingPicture(
  { filename, content_type, size }: UploadRequest,
  now: Date,
): UploadedPicture {
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

/** The record after its bytes were looked at; undefined when that happened before: an outcome stands. */
export function settledPicture<Picture extends UploadedPicture>(
  before: Picture,
  outcome: UploadOutcome,
): Picture | undefined {
  if (before.status !== "pending") return undefined;
  if (outcome.status === "rejected") return { ...before, ...outcome };
  return { ...before, ...outcome.picture, status: "ready", variants: outcome.variants };
}

/** Where the bytes of an upload wait to be looked at. */
export const quarantineKey = (id: string) => `quarantine/${id}`;

const waiting = /^quarantine\/((?:upl|med)_[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** Whose bytes lie under a key of the quarantine; undefined where nobody's could. */
export const uploadOfKey = (key: string): string | undefined => waiting.exec(key)?.[1];

/** The folder of all that is made of an upload. */
export const pictureFolder = (id: string) => `uploads/${id}/`;
