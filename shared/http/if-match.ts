import { LimitedString } from "../domain/base/text.ts";

const tag = '(?:W/)?"v\\d{1,15}"';

/**
 * The `If-Match` header in the format of our ETags; its value is the version, or several of which one must hold. Proxies
 * that compress answers weaken their tags, so `W/"v3"` is taken like `"v3"`. `*` matches every version (RFC 9110), as
 * if the header were missing.
 */
export const IfMatch = LimitedString(400)
  .regex(new RegExp(`^(?:\\*|${tag}(?:[ \\t]*,[ \\t]*${tag})*)$`))
  .transform((tags): number | readonly number[] | undefined => {
    const versions = Array.from(tags.matchAll(/"v(\d+)"/g), ([, version]) => Number(version));
    return versions.length > 1 ? versions : versions[0];
  })
  .optional()
  .meta({
    description: "The record's `ETag`, or `*`. Returns 412 if the record has changed since.",
  });
