import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { AppError } from "#shared/domain/request/app-error.ts";

/**
 * The quote that a mailed link opens. A link ends with its revision.
 *
 * @throws AppError `not_found`, whether the quote is unknown or the link is none of its own
 */
export function openedBy(token: string, quote: StoredQuote | undefined): StoredQuote {
  // Hashes of random tokens tell nothing by the time that comparing them takes.
  if (quote && quote.link_hash === hashOf(token)) return quote;
  throw new AppError("not_found", { message: "This link is invalid or has expired." });
}
