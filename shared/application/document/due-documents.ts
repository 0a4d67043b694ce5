import { type DueDocument, quoteDocumentNumber } from "#shared/domain/document/document.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { isErased } from "#shared/domain/enquiry/enquiry.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { invoicesOf } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import { type Advance, advancesOf } from "#shared/domain/order/invoice/vouchers.ts";
import type { NumberedNote } from "#shared/storage/order/numbered-notes.ts";

import type { IssuedNotes } from "./carried-document.ts";

type Timezone = Pick<StoreSettings, "timezone">;

/** Whether the account of an order was erased. Invoices, credit notes and vouchers are kept by law. */
export const isOfErased = ({
  customer,
  access_token_hash,
}: Pick<StoredOrder, "customer" | "access_token_hash">): boolean =>
  customer.id === null && access_token_hash === null;

/** The confirmation of an order. It is drawn when somebody first opens it. */
export const confirmationOf = (
  { number, placed_at }: StoredOrder,
  { timezone }: Timezone,
): DueDocument => ({
  type: "order_confirmation",
  number,
  issued_on: dayIn(timezone, new Date(placed_at)),
});

/** The documents that an order must have now, besides its confirmation. */
export function dueOfOrder(
  record: OrderRecord,
  { creditNotes, vouchers }: IssuedNotes,
): DueDocument[] {
  return [
    ...invoicesOf(record.order).map((invoice) => ({ type: "invoice" as const, ...invoice })),
    ...creditNotes.map(dueAs("credit_note")),
    ...vouchers.flatMap((note) => {
      const advance = advanceOf(record, note);
      return advance ? [dueAs(advance.type)(note)] : [];
    }),
  ];
}

const dueAs =
  (type: DueDocument["type"]) =>
  ({ number, issued_on }: NumberedNote): DueDocument => ({ type, number, issued_on });

/** What a voucher is about. */
export const advanceOf = (record: OrderRecord, voucher: NumberedNote): Advance | undefined =>
  advancesOf(record).find(({ id }) => id === voucher.id);

/** The documents that a quote must have now: one for the revision that was sent last. */
export function dueOfQuote(quote: StoredQuote, { timezone }: Timezone): DueDocument[] {
  const { status, sent_at } = quote;
  if (status !== "sent" || sent_at === null || isErased(quote)) return [];
  const issued_on = dayIn(timezone, new Date(sent_at));
  return [{ type: "quote", number: quoteDocumentNumber(quote), issued_on }];
}
