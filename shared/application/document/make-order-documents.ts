import type { Shop } from "#shared/application/shop.ts";
import { type DueDocument, documentKey } from "#shared/domain/document/document.ts";
import { type Credit, creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { noteSeries } from "#shared/domain/order/invoice/invoice.ts";
import { invoicesOver } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { advancesOf } from "#shared/domain/order/invoice/vouchers.ts";
import { type Condition, every, is } from "#shared/storage/conditions.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { issueCreditNotes } from "#shared/storage/order/credit-notes.ts";
import { openOrders, Orders } from "#shared/storage/order/orders.ts";
import { type OutboxMessage, outboxId } from "#shared/storage/outbox.ts";
import { issueVouchers } from "#shared/storage/order/vouchers.ts";
import { check } from "#shared/storage/writes.ts";
import { type IssuedNotes, eventsCarrying } from "./carried-document.ts";
import { advanceOf, confirmationOf, dueOfOrder, isOfErased } from "./due-documents.ts";
import { makeMissing, removeDocument } from "./keep-document.ts";
import {
  creditNoteDocument,
  invoiceDocument,
  orderConfirmation,
} from "#shared/documents/order-document.ts";
import type { PrintedDocument } from "#shared/documents/printed-document.ts";
import { voucherDocument } from "#shared/documents/voucher-document.ts";

type DrawingShop = Shop<
  "table" | "documentFiles" | "log" | "now" | "outboxQueue" | "settings",
  "store" | "payments" | "shipping" | "tax"
>;

/**
 * Issues the credit notes and vouchers that an order needs, makes the documents that it has no file of yet, and enqueues
 * the mails that wait for them. If that fails, these mails go when they have waited for two minutes.
 */
export async function makeOrderDocuments(id: string, shop: DrawingShop): Promise<void> {
  const record = await openOrders(shop.table).find(id);
  if (!record) return;
  const { order } = record;
  const settings = await shop.settings.current();
  const { documents, ...notes } = await withNotes(record, shop);
  if (isOfErased(order)) await removeConfirmation(order, shop);
  const due = dueOfOrder(record, notes);
  const made = await makeMissing({ owner_id: id, due, documents }, shop, (document) => ({
    content: contentOf(document, record, { ...notes, settings }),
    guards: [],
  }));
  const waiting = made.length > 0 ? eventsCarrying(made, record, notes) : [];
  await shop.outboxQueue.send(waiting.map((event): OutboxMessage => ({ id: outboxId(event) })));
}

/** Draws the confirmation of an order, unless it was drawn before or the order's account was erased. */
export async function makeConfirmation(id: string, shop: DrawingShop): Promise<void> {
  const { table, settings } = shop;
  const [record, { documents }, known] = await Promise.all([
    openOrders(table).find(id),
    documentsOf(table, id),
    settings.current(),
  ]);
  if (!record || isOfErased(record.order)) return;
  const { order } = record;
  const due = [confirmationOf(order, known.store)];
  await makeMissing({ owner_id: id, due, documents }, shop, (document) => ({
    content: orderConfirmation(order, document, known),
    // Nobody may make the confirmation while the order's account is being erased.
    guards: [check(Orders, { id }, sameBuyer(order))],
  }));
}

/** Holds while the order has neither joined an account nor lost one. Both remove the buyer's access token. */
const sameBuyer = ({ customer, access_token_hash }: StoredOrder): Condition =>
  every(is("customer.id", customer.id), is("access_token_hash", access_token_hash));

/** The order's notes and documents, after a note was issued for each of its credits and advances. */
async function withNotes(record: OrderRecord, shop: DrawingShop) {
  const { table, settings, now } = shop;
  const { order } = record;
  const read = await documentsOf(table, order.id);
  const withoutNote = <Cause extends { readonly id: string }>(
    causes: readonly Cause[],
    notes: IssuedNotes["vouchers"],
  ) => causes.filter(({ id }) => !notes.some((note) => note.id === id));
  // A credit note names the invoices that it lowers, so it waits for their numbers.
  const numbered = creditsOf(record).filter(({ credit }) =>
    invoicesOver(order, credit).every(({ invoice }) => invoice !== null),
  );
  const credits = withoutNote(numbered, read.creditNotes);
  // A receipt comes first, because refund vouchers name it.
  const advances = withoutNote(advancesOf(record), read.vouchers);
  if (credits.length === 0 && advances.length === 0) return read;
  const known = await settings.current();
  const ids = credits.map(({ id }) => id);
  await issueCreditNotes(table, order.id, ids, noteSeries("credit_note", known, now()));
  for (const { id, type } of advances) {
    await issueVouchers(table, order.id, [id], noteSeries(type, known, now()));
  }
  return documentsOf(table, order.id);
}

/** The key is the same for every attempt, so this also removes a file whose row was never stored. */
const removeConfirmation = (
  { id: owner_id, number }: StoredOrder,
  shop: DrawingShop,
): Promise<void> => removeDocument({ owner_id, type: "order_confirmation", number }, shop);

interface Facts extends IssuedNotes {
  readonly settings: Awaited<ReturnType<DrawingShop["settings"]["current"]>>;
}

function contentOf(due: DueDocument, record: OrderRecord, facts: Facts): PrintedDocument {
  const { order } = record;
  const { settings } = facts;
  switch (due.type) {
    case "invoice":
      return invoiceDocument(order, due, settings);
    case "credit_note":
      return creditNoteDocument(order, due, creditFor(due, record, facts), settings);
    case "receipt_voucher":
    case "refund_voucher":
      return voucherDocument(record, due, advanceFor(due, record, facts), settings);
    case "order_confirmation":
    case "quote":
      throw new TypeError(
        `${documentKey(order.id, due)} is not made with the documents of an order`,
      );
  }
}

function creditFor(due: DueDocument, record: OrderRecord, { creditNotes }: IssuedNotes) {
  const note = creditNotes.find(({ number }) => number === due.number);
  const credit = creditsOf(record).find(({ id }) => id === note?.id);
  if (!credit) throw new TypeError(`${documentKey(record.order.id, due)} has no credit`);
  return { ...credit, reason: reasonOf(credit) };
}

/** Why an invoiced supply was lowered. What staff entered as a refund's reason is not for buyers. */
const reasonOf = ({ hasUnits }: Credit): string =>
  hasUnits ? "Items were returned or not delivered" : "The price was reduced";

function advanceFor(due: DueDocument, record: OrderRecord, { vouchers }: IssuedNotes) {
  const voucher = vouchers.find(({ number }) => number === due.number);
  const advance = voucher && advanceOf(record, voucher);
  if (!advance) throw new TypeError(`${documentKey(record.order.id, due)} has no advance`);
  const receipt = vouchers.find((each) => advanceOf(record, each)?.type === "receipt_voucher");
  return { ...advance, receipt: receipt ?? null };
}
