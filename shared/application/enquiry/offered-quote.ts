import { offerProblems } from "#shared/domain/enquiry/quote-price.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { withCouponNow } from "./apply-quote-coupon.ts";

/**
 * The quote as it is sent: with what its coupon takes off now.
 *
 * @throws AppError `validation_failed` at `coupon`, or where the quote could not be ordered as it says
 */
export async function offeredQuote(
  table: Table,
  quote: StoredQuote,
  { settings, now }: { readonly settings: Settings; readonly now: Date },
): Promise<StoredQuote> {
  const offered = await withCouponNow(table, quote, { ...settings, now });
  const problems = offerProblems(offered, settings);
  if (problems.length > 0) throw invalidFields(problems);
  return offered;
}
