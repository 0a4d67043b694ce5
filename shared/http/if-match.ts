import * as z from "zod";

/**
 * The header `If-Match` as our ETags of mutable records are written; its value is the version. `*` holds for every
 * version (RFC 9110), as if the header were left out.
 */
export const IfMatch = z
  .string()
  .regex(/^(?:\*|"v\d{1,15}")$/)
  .transform((tag) => (tag === "*" ? undefined : Number(tag.slice(2, -1))))
  .optional()
  .meta({ description: "The `ETag` that was read, or `*`; 412 when the record has changed since" });
