import { type DueDocument, quoteDocumentNumber } from "#shared/domain/document/document.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { isErased } from "#shared/domain/enquiry/enquiry.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import type { CreditNote } from "#shared/storage/order/credit-notes.ts";

type Timezone = Pick<StoreSettings, "timezone">;

/** Whether the account of an order was erased. Invoices and credit notes are kept by law; the confirmation is not. */
export const isOfErased = ({ customer, access_token_hash }: StoredOrder): boolean =>
  customer.id === null && access_token_hash === null;

/** The documents that an order must have now. */
export function dueOfOrder(
  order: StoredOrder,
  creditNotes: readonly CreditNote[],
  { timezone }: Timezone,
): DueDocument[] {
  const { number, placed_at, invoice } = order;
  const issued_on = dayIn(timezone, new Date(placed_at));
  return [
    ...(isOfErased(order) ? [] : [{ type: "order_confirmation" as const, number, issued_on }]),
    ...(invoice ? [{ type: "invoice" as const, ...invoice }] : []),
    ...creditNotes.map((note) => ({
      type: "credit_note" as const,
      number: note.number,
      issued_on: note.issued_on,
    })),
  ];
}

/** The documents that a quote must have now: one for the revision that was sent last. */
export function dueOfQuote(quote: StoredQuote, { timezone }: Timezone): DueDocument[] {
  const { status, sent_at } = quote;
  if (status !== "sent" || sent_at === null || isErased(quote)) return [];
  const issued_on = dayIn(timezone, new Date(sent_at));
  return [{ type: "quote", number: quoteDocumentNumber(quote), issued_on }];
}
