import * as z from "zod";
import { Picture } from "../base/picture.ts";
import { Id } from "../base/ids.ts";
import { LimitedString, Text } from "../base/text.ts";

const address = /^media:\/\/[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/**
 * The address of a stored picture or file: `media://<key>`, without a host, so that records survive a change of host.
 * Responses contain the full URL instead, so the schema in the OpenAPI document has no pattern.
 */
export const MediaAddress = LimitedString(300)
  .refine((value) => address.test(value), "This is not the URL of a media item.")
  .meta({
    description: "URL of a file of the media library",
    example: "https://media.example.com/chairs/oslo-front.webp",
  });
export type MediaAddress = z.output<typeof MediaAddress>;

/** How a stored address begins. */
export const mediaScheme = "media://";

export const isMediaAddress = (text: string): boolean =>
  text.startsWith(mediaScheme) && address.test(text);

/** The public URL of a stored address. */
export const mediaUrl = (of: MediaAddress, baseUrl: string): string =>
  `${baseUrl}/${of.slice(mediaScheme.length)}`;

/** The value with each stored address replaced by its public URL. Other texts do not change. */
export const withMediaUrls = <Value>(value: Value, baseUrl: string): Value =>
  withTexts(value, (text) => (isMediaAddress(text) ? mediaUrl(text, baseUrl) : text));

/** The value with each public URL of a stored file replaced by its stored address. */
export const withMediaAddresses = <Value>(value: Value, baseUrl: string): Value =>
  withTexts(value, (text) => {
    if (!text.startsWith(`${baseUrl}/`)) return text;
    const stored = `${mediaScheme}${text.slice(baseUrl.length + 1)}`;
    // Other texts, such as a note that begins with a URL, are returned as they were sent.
    return address.test(stored) ? stored : text;
  });

/** A JSON value with every text in it replaced. Parts without such texts are not copied. */
function withTexts<Value>(value: Value, textFor: (text: string) => string): Value {
  const replaced = (of: unknown): unknown => {
    if (typeof of === "string") return textFor(of);
    if (Array.isArray(of)) {
      const items = of.map(replaced);
      return items.some((item, position) => item !== of[position]) ? items : of;
    }
    if (typeof of !== "object" || of === null) return of;
    let copy: Record<string, unknown> | undefined;
    for (const [name, member] of Object.entries(of)) {
      const after = replaced(member);
      if (after !== member) (copy ??= { ...of })[name] = after;
    }
    return copy ?? of;
  };
  // Every text is replaced by a text, so the result has the type of the original.
  return replaced(value) as Value;
}

export const StoredPicture = z.strictObject({
  ...Picture.shape,
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
