import { documentKey } from "#shared/domain/document/document.ts";
import type { DueDocument } from "#shared/domain/document/document.ts";
import { type Credit, creditsOf } from "#shared/domain/order/credit-supply.ts";
import { creditNoteSeries } from "#shared/domain/order/invoice.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { is } from "#shared/storage/conditions.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { type CreditNote, issueCreditNotes } from "#shared/storage/order/credit-notes.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { outboxId } from "#shared/storage/outbox.ts";
import { check } from "#shared/storage/writes.ts";
import { eventsCarrying } from "../carried-document.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import type { Deps } from "./deps.ts";
import { dueOfOrder, isOfErased } from "./due-documents.ts";
import { makeMissing, removeDocument } from "./keep-document.ts";
import { creditNoteDocument, invoiceDocument, orderConfirmation } from "./order-document.ts";
import type { PrintedDocument } from "./printed-document.ts";

/**
 * Issues the credit notes that an order needs, makes the documents that it has no file of yet, and enqueues the mails
 * that wait for them. If that fails, these mails go when they have waited for two minutes.
 */
export async function followOrder(id: string, deps: Deps): Promise<void> {
  const record = await deps.orders.find(id);
  if (!record) return;
  const { order } = record;
  const settings = await deps.settings.current();
  const { creditNotes, documents } = await withCreditNotes(record, deps);
  if (isOfErased(order)) await removeConfirmation(order, deps);
  const due = dueOfOrder(order, creditNotes, settings.store);
  const made = await makeMissing({ owner_id: id, due, documents }, deps, (document) => ({
    content: contentOf(document, record, { creditNotes, settings }),
    // Nobody may make the confirmation while the order's account is being erased.
    guards:
      document.type === "order_confirmation"
        ? [check(Orders, { id }, is("customer.id", order.customer.id))]
        : [],
  }));
  const waiting = made.length > 0 ? eventsCarrying(made, record, creditNotes) : [];
  await deps.outbox.send(waiting.map((event): OutboxMessage => ({ id: outboxId(event) })));
}

/** The order's credit notes and documents, after a credit note was issued for every credit of its invoice. */
async function withCreditNotes(record: OrderRecord, { table, settings, now }: Deps) {
  const { order } = record;
  const read = await documentsOf(table, order.id);
  const credited = new Set(read.creditNotes.map(({ id }) => id));
  const missing = creditsOf(record).filter(({ id }) => !credited.has(id));
  // A credit note names the invoice, so it waits for the invoice's number.
  if (missing.length === 0 || order.invoice === null) return read;
  const series = creditNoteSeries(await settings.current(), now());
  await issueCreditNotes(
    table,
    order.id,
    missing.map(({ id }) => id),
    series,
  );
  return documentsOf(table, order.id);
}

/** The key is the same for every attempt, so this also removes a file whose row was never stored. */
const removeConfirmation = ({ id: owner_id, number }: StoredOrder, deps: Deps): Promise<void> =>
  removeDocument({ owner_id, type: "order_confirmation", number }, deps);

interface Facts {
  readonly creditNotes: readonly CreditNote[];
  readonly settings: Awaited<ReturnType<Deps["settings"]["current"]>>;
}

function contentOf(
  due: DueDocument,
  record: OrderRecord,
  { creditNotes, settings }: Facts,
): PrintedDocument {
  const { order } = record;
  switch (due.type) {
    case "order_confirmation":
      return orderConfirmation(order, due, settings);
    case "invoice":
      return invoiceDocument(order, due, settings);
    default: {
      const note = creditNotes.find(({ number }) => number === due.number);
      const credit = creditsOf(record).find(({ id }) => id === note?.id);
      if (!credit) throw new TypeError(`${documentKey(order.id, due)} has no credit`);
      return creditNoteDocument(
        order,
        due,
        { ...credit, reason: reasonOf(credit, order) },
        settings,
      );
    }
  }
}

/** Why an invoiced supply was lowered. What staff entered as a refund's reason is not for buyers. */
function reasonOf({ id, credit }: Credit, order: StoredOrder): string {
  if (id === order.id) return "The order came back";
  const hasUnits = credit.lines.some(({ quantity }) => quantity > 0);
  return hasUnits ? "Items were returned or not delivered" : "The price was reduced";
}
