import { type StoredDocument, documentFilename } from "#shared/domain/document/document.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { LedgerRow } from "#shared/domain/payment/payment.ts";
import { advancesOf, voidVoucherId } from "#shared/domain/order/invoice/vouchers.ts";
import { type Attachment, type Letter, link, withBlock } from "#shared/mail/letter.ts";
import type { NumberedNote } from "#shared/storage/order/numbered-notes.ts";

/** The document that a mail carries. A credit note or voucher is named by its cause, any other document by its number. */
export interface CarriedDocument {
  readonly type: StoredDocument["type"];
  /** Undefined if it has no number yet. */
  readonly number?: string | undefined;
  /** Id of the change, charge or refund. */
  readonly cause_id?: string | undefined;
}

/** The document that a mail carries, where it is stored, and what the mail says without it. */
export interface Carried extends CarriedDocument {
  /** Id of the document's order or quote. */
  readonly owner_id: string;
  /** The page that the mail links to without its document; null if it needs no further link. */
  readonly page: string | null;
}

/** The credit notes and vouchers that were issued for an order. */
export interface IssuedNotes {
  readonly creditNotes: readonly NumberedNote[];
  readonly vouchers: readonly NumberedNote[];
}

/** The documents that the mails about an order carry, by event; undefined if the mail carries none. */
export const carried = {
  order_paid({ rows }: OrderRecord): CarriedDocument | undefined {
    const receipt = advancesOf({ rows }).find(({ type }) => type === "receipt_voucher");
    return receipt && { type: receipt.type, cause_id: receipt.id };
  },
  order_payment_voided({ id, returned_advance }: LedgerRow): CarriedDocument | undefined {
    return returned_advance === undefined
      ? undefined
      : { type: "refund_voucher", cause_id: voidVoucherId(id) };
  },
  order_shipped({ order, rows }: OrderRecord, shipment: string): CarriedDocument | undefined {
    const sent = rows.shipments.filter(({ dispatched_at }) => dispatched_at !== null);
    const [first] = sent.toSorted((one, other) =>
      (one.dispatched_at ?? "").localeCompare(other.dispatched_at ?? ""),
    );
    // An invoice goes with the dispatch that it is of. Right after it, the invoice may have no number yet.
    const supplement = order.supplements?.[shipment];
    if (supplement) return { type: "invoice", number: supplement.invoice?.number };
    return first?.id === shipment ? { type: "invoice", number: order.invoice?.number } : undefined;
  },
  order_changed({ rows }: OrderRecord, change: string): CarriedDocument | undefined {
    const isCredited = rows.changes.some(({ id, credit }) => id === change && credit);
    return isCredited ? { type: "credit_note", cause_id: change } : undefined;
  },
  order_refunded({ rows }: OrderRecord, transaction: string): CarriedDocument | undefined {
    const refund = rows.transactions.find(({ id }) => id === transaction);
    if (refund?.advance !== undefined) return { type: "refund_voucher", cause_id: refund.id };
    const isCredited = rows.changes.some(({ id, credit }) => id === refund?.change_id && credit);
    return isCredited ? { type: "credit_note", cause_id: refund?.change_id } : undefined;
  },
} as const;

/** Whether a document is the one that a mail carries. */
function isCarried(
  { type, number }: Pick<StoredDocument, "type" | "number">,
  wanted: CarriedDocument,
  { creditNotes, vouchers }: IssuedNotes,
): boolean {
  const { cause_id } = wanted;
  if (type !== wanted.type) return false;
  if (cause_id === undefined) return number === wanted.number;
  const notes = type === "credit_note" ? creditNotes : vouchers;
  return notes.some((note) => note.id === cause_id && note.number === number);
}

type Announcement = [OutboxEvent, CarriedDocument | undefined];

/** The events of an order whose mails carry one of these documents. Some of the events may not have happened. */
export function eventsCarrying(
  documents: readonly Pick<StoredDocument, "type" | "number">[],
  record: OrderRecord,
  notes: IssuedNotes,
): OutboxEvent[] {
  const order_id = record.order.id;
  const { changes, returns, shipments, transactions } = record.rows;
  const events: Announcement[] = [
    [{ type: "order_paid", order_id }, carried.order_paid(record)],
    ...shipments.map(({ id }): Announcement => [
      { type: "order_shipped", order_id, shipment_id: id },
      carried.order_shipped(record, id),
    ]),
    ...changes.map(({ id }): Announcement => [
      { type: "order_changed", order_id, change_id: id },
      carried.order_changed(record, id),
    ]),
    ...returns.flatMap(({ id, change_id, status, updated_at: at }): Announcement[] => {
      if (change_id === null) return [];
      const event = { order_id, return_id: id, status, answer: null, change_id, at };
      return [[{ type: "return_changed", ...event }, carried.order_changed(record, change_id)]];
    }),
    ...transactions.map(({ id }): Announcement => [
      { type: "order_refunded", order_id, transaction_id: id },
      carried.order_refunded(record, id),
    ]),
    ...transactions.map((row): Announcement => [
      { type: "order_payment_voided", order_id, transaction_id: row.id },
      carried.order_payment_voided(row),
    ]),
  ];
  return events.flatMap(([event, wanted]) =>
    wanted && documents.some((document) => isCarried(document, wanted, notes)) ? [event] : [],
  );
}

/** How long a mail waits for its document. */
const patienceSeconds = 120;

/** Mails that the consumer of documents enqueues: to send them before it has run would mostly be in vain. */
const alwaysWaiting: readonly OutboxEvent["type"][] = ["quote_sent"];

/** Seconds until the mail of a new event is sent, unless the consumer of documents enqueues it before. */
export const mailDelaySeconds = (outboxId: string): number =>
  alwaysWaiting.some((type) => outboxId.startsWith(`${type}#`)) ? patienceSeconds : 0;

/** Thrown while a mail waits for a document that is not made yet. */
export class DocumentPending extends Error {
  override readonly name = "DocumentPending";
  /** Seconds until the mail is sent without the document. */
  readonly seconds: number;

  constructor(seconds: number) {
    super();
    this.seconds = seconds;
  }
}

/**
 * Attaches its document to a mail. A mail whose document is not made after two minutes links to it instead.
 *
 * @param made the documents of the mail's order or quote, and the notes issued for it
 * @param wait.since when the mail was requested
 * @throws DocumentPending while the mail has to wait
 */
export function attach(
  { page, ...wanted }: CarriedDocument & Pick<Carried, "page">,
  made: IssuedNotes & { readonly documents: readonly StoredDocument[] },
  letter: Letter,
  { since, now }: { since: string; now: Date },
): Letter & { readonly attachment: Attachment | null } {
  const document = made.documents.find((each) => isCarried(each, wanted, made));
  if (document?.removed_at === null) {
    const { key } = document;
    return { ...letter, attachment: { key, filename: documentFilename(document) } };
  }
  const seconds = patienceSeconds - (now.getTime() - Date.parse(since)) / 1000;
  if (!document && seconds > 0) throw new DocumentPending(Math.ceil(seconds));
  const later = page === null ? letter : withBlock(letter, link("Open your documents", page));
  return { ...later, attachment: null };
}
