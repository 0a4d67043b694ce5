import * as z from "zod";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { AppError } from "#shared/domain/request/app-error.ts";

export const LinkToken = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: "Token of the mailed link" });

/**
 * The quote of a mailed link. A new revision invalidates the link.
 *
 * @throws AppError `not_found`, both for an unknown quote and for a wrong token
 */
export function openedBy(token: string, quote: StoredQuote | undefined): StoredQuote {
  // No constant-time comparison is needed: timing reveals nothing useful about hashes of random tokens.
  if (quote && quote.link_hash === hashOf(token)) return quote;
  throw new AppError("not_found", { message: "This link is invalid or has expired." });
}
