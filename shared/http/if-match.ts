import * as z from "zod";

/**
 * The `If-Match` header in the format of our ETags; its value is the version. `*` matches every version (RFC 9110),
 * as if the header were missing.
 */
export const IfMatch = z
  .string()
  .regex(/^(?:\*|"v\d{1,15}")$/)
  .transform((tag) => (tag === "*" ? undefined : Number(tag.slice(2, -1))))
  .optional()
  .meta({
    description: "The record's `ETag`, or `*`. Returns 412 if the record has changed since.",
  });
