import { LimitedString } from "../domain/base/text.ts";

const tag = '(?:W/)?"[!#-~]*"';
const separator = "[ \\t]*,[, \\t]*";

/**
 * The `If-Match` header (RFC 9110) in the format of our ETags; its value is the version, or several of which one must
 * hold. Proxies that compress answers weaken their tags or name the encoding in them, so `W/"v3"` and `"v3-gzip"` are
 * taken like `"v3"`. A tag that is not ours holds for no version. `*` matches every version, as if the header were missing.
 */
export const IfMatch = LimitedString(400)
  .regex(new RegExp(`^(?:\\*|${tag}(?:${separator}${tag})*[, \\t]*)$`))
  .transform((tags): number | readonly number[] | undefined => {
    if (tags === "*") return undefined;
    const ours = /"v(\d{1,15})(?:-(?:gzip|br|zstd|deflate))?"/g;
    const versions = Array.from(tags.matchAll(ours), ([, version]) => Number(version));
    return versions.length === 1 ? versions[0] : versions;
  })
  .optional()
  .meta({
    description: "The record's `ETag`, or `*`. Returns 412 if the record has changed since.",
  });
