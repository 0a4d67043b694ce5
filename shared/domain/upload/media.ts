import * as z from "zod";
import { Picture } from "../base/picture.ts";
import { Id } from "../base/ids.ts";
import { LimitedString, Text } from "../base/text.ts";

const address = /^media:\/\/[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/**
 * The address of a stored picture or file: `media://<key>`, without a host, so that records survive a change of host.
 * Responses contain the full URL instead, so the published schema has no pattern.
 */
export const MediaAddress = LimitedString(300)
  .refine((value) => address.test(value), "This is not the URL of a media item.")
  .meta({ description: "URL", example: "https://media.example.com/chairs/oslo-front.webp" });
export type MediaAddress = z.output<typeof MediaAddress>;

/** A picture as stored. */
export const StoredPicture = Picture.extend({
  url: MediaAddress,
  alt: Text(200),
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
});
export type StoredPicture = z.output<typeof StoredPicture>;

/** A picture, film or 3D model of a product, in display order. Films and models have the size of their poster. */
export const ProductMedia = StoredPicture.extend({
  id: Id("med"),
  type: z.enum(["image", "video", "model_3d"]),
  role: z.enum(["main", "gallery", "detail", "lifestyle", "dimensions", "swatch"]),
});
export type ProductMedia = z.output<typeof ProductMedia>;

/** The main picture: the one marked `main`, otherwise the first; `null` if there is none. */
export function mainPicture(media: readonly ProductMedia[]): StoredPicture | null {
  const images = media.filter((item) => item.type === "image");
  const chosen = images.find((item) => item.role === "main") ?? images[0];
  return chosen
    ? { url: chosen.url, alt: chosen.alt, width: chosen.width, height: chosen.height }
    : null;
}
