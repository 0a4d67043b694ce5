import type { Shop } from "#shared/application/shop.ts";
import { quoteLines } from "./quote-lines.ts";
import { type QuoteInput, newQuote } from "#shared/domain/enquiry/quote-input.ts";
import type { QuoteItem } from "#shared/domain/enquiry/quote-item.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { Quotes, quoteWrites } from "#shared/storage/enquiry/quotes.ts";
import { holdPictures } from "#shared/application/upload/hold-pictures.ts";
import type { IdempotencyId } from "#shared/storage/idempotency.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { type EnquiryForm, type FormCall, submitOnce, twinOf } from "./submit-enquiry.ts";

/**
 * Stores a request for a quote once, with holds on its pictures, and publishes the events that mail it.
 *
 * @param id of the quote, if it is new
 * @throws AppError as `submitOnce`, `validation_failed`
 */
export async function createQuote(
  call: FormCall & { readonly body: QuoteInput },
  id: string,
  shop: Shop<"table" | "randomBytes" | "rates" | "settings", "store">,
) {
  const { body, now } = call;
  const requested = body.items.map((item, index) => ({ ...item, path: `items.${index}` }));
  const { store } = await shop.settings.current();
  const sale = { now, currency: store.currency };
  const { items, problems } = await quoteLines(shop.table, requested, sale);
  if (problems.length > 0) throw invalidFields(problems);
  const twin = await twinOf("quote", body, shop);
  const context = { id, twin, currency: store.currency, now };
  const form = formOf({ ...body, items }, context, shop);
  return submitOnce(call, shop, form);
}

function formOf(
  input: Omit<QuoteInput, "items"> & { items: QuoteItem[] },
  context: { id: string; twin: IdempotencyId; currency: string; now: Date },
  { table }: Shop<"table">,
): EnquiryForm<StoredQuote> {
  const { id, twin, now } = context;
  const named = input.upload_ids.map((id, position) => [id, `upload_ids.${position}`] as const);
  const holds = holdPictures(named, now);
  return {
    kind: "quote",
    id,
    twin,
    email: input.email,
    make(reference, letter) {
      const quote = newQuote(input, { ...context, reference, ...letter });
      const event = { quote_id: id, revision: 0 };
      return {
        record: quote,
        writes: [
          ...quoteWrites(quote),
          ...holds,
          publishEvent({ type: "quote_received", ...event }, now),
          ...(quote.email === null || quote.letter_withheld
            ? []
            : [publishEvent({ type: "quote_acknowledged", ...event }, now)]),
        ],
      };
    },
    find: (of) => table.get(Quotes, { id: of }),
  };
}
