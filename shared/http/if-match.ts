import * as z from "zod";
import { AppError } from "./errors.ts";

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

/**
 * Refuses a write that was meant for another version.
 *
 * @param expected undefined: the caller does not mind
 * @throws AppError `version_mismatch`
 */
export function requireVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return;
  throw new AppError("version_mismatch", { details: { current_version: current } });
}
