import type { Shop } from "#shared/application/shop.ts";
import { quoteDocumentNumber } from "#shared/domain/document/document.ts";
import { isErased } from "#shared/domain/enquiry/enquiry.ts";
import { is } from "#shared/storage/conditions.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { type OutboxMessage, quoteMailId } from "#shared/storage/outbox.ts";
import { check } from "#shared/storage/writes.ts";
import { dueOfQuote } from "./due-documents.ts";
import { makeMissing, removeDocument } from "./keep-document.ts";
import { quoteDocument } from "#shared/documents/quote-document.ts";

/**
 * Makes the document of a quote that was sent, unless it was sent before, and enqueues the mail that waits for it. Removes all documents of a quote
 * that was erased.
 */
export async function makeQuoteDocuments(
  id: string,
  shop: Shop<
    "table" | "documentFiles" | "log" | "now" | "outboxQueue" | "settings",
    "payments" | "shipping" | "store" | "tax"
  >,
): Promise<void> {
  const quote = await shop.table.get(Quotes, { id });
  if (!quote) return;
  if (isErased(quote)) {
    for (let revision = 1; revision <= quote.revision; revision++) {
      const number = quoteDocumentNumber({ ...quote, revision });
      await removeDocument({ owner_id: id, type: "quote", number }, shop);
    }
    return;
  }
  const settings = await shop.settings.current();
  const due = dueOfQuote(quote, settings.store);
  const { documents } = await documentsOf(shop.table, id);
  await makeMissing({ owner_id: id, due, documents }, shop, (document) => ({
    content: quoteDocument(quote, document, settings),
    guards: [check(Quotes, { id }, is("erased_at", null))],
  }));
  if (due.length > 0 && quote.link_hash !== null) {
    await shop.outboxQueue.send([{ id: quoteMailId(quote.link_hash) } satisfies OutboxMessage]);
  }
}
