import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import type { StoredDocument } from "#shared/domain/document/document.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { advancesOf } from "#shared/domain/order/vouchers.ts";
import type { NumberedNote } from "#shared/storage/order/numbered-notes.ts";

export type OrderEvent = Extract<OutboxEvent, { order_id: string }>;

/** The document that a mail carries. A credit note or voucher is named by its cause, any other document by its number. */
export interface CarriedDocument {
  readonly type: StoredDocument["type"];
  /** Undefined if it has no number yet. */
  readonly number?: string | undefined;
  /** Id of the credit, charge or refund. */
  readonly cause_id?: string | undefined;
}

/** The credit notes and vouchers that were issued for an order. */
export interface IssuedNotes {
  readonly creditNotes: readonly NumberedNote[];
  readonly vouchers: readonly NumberedNote[];
}

/** The document that the mail about an order carries; undefined if it carries none. */
export function documentOf(
  event: OrderEvent,
  { order, rows }: OrderRecord,
): CarriedDocument | undefined {
  switch (event.type) {
    case "order_placed":
      return { type: "order_confirmation", number: order.number };
    case "order_paid": {
      const receipt = advancesOf({ rows }).find(({ type }) => type === "receipt_voucher");
      return receipt && { type: receipt.type, cause_id: receipt.id };
    }
    case "order_shipped": {
      const sent = rows.shipments.filter(({ dispatched_at }) => dispatched_at !== null);
      const [first] = sent.toSorted((one, other) =>
        (one.dispatched_at ?? "").localeCompare(other.dispatched_at ?? ""),
      );
      // The invoice goes with the first dispatch. Right after it, the invoice may have no number yet.
      return first?.id === event.shipment_id
        ? { type: "invoice", number: order.invoice?.number }
        : undefined;
    }
    case "order_refunded": {
      const refund = rows.transactions.find(({ id }) => id === event.transaction_id);
      if (refund?.advance !== undefined) return { type: "refund_voucher", cause_id: refund.id };
      const cause_id = refund && (refund.batch_id ?? refund.id);
      const isCredited = rows.transactions.some(({ id, credit }) => id === cause_id && credit);
      return isCredited ? { type: "credit_note", cause_id } : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a document is the one that a mail carries. */
export function isCarried(
  { type, number }: Pick<StoredDocument, "type" | "number">,
  carried: CarriedDocument,
  { creditNotes, vouchers }: IssuedNotes,
): boolean {
  const { cause_id } = carried;
  if (type !== carried.type) return false;
  if (cause_id === undefined) return number === carried.number;
  const notes = type === "credit_note" ? creditNotes : vouchers;
  return notes.some((note) => note.id === cause_id && note.number === number);
}

/** The events of an order whose mails carry one of these documents. Some of the events may not have happened. */
export function eventsCarrying(
  documents: readonly Pick<StoredDocument, "type" | "number">[],
  record: OrderRecord,
  notes: IssuedNotes,
): OrderEvent[] {
  const order_id = record.order.id;
  const { shipments, transactions } = record.rows;
  const events: OrderEvent[] = [
    { type: "order_placed", order_id },
    { type: "order_paid", order_id },
    ...shipments.map(({ id }) => ({ type: "order_shipped" as const, order_id, shipment_id: id })),
    ...transactions.map(({ id }) => ({
      type: "order_refunded" as const,
      order_id,
      transaction_id: id,
    })),
  ];
  return events.filter((event) => {
    const carried = documentOf(event, record);
    return carried && documents.some((document) => isCarried(document, carried, notes));
  });
}

/** How long a mail waits for its document. */
export const patienceSeconds = 120;

/** Mails whose document is always made after their event: to send them earlier would be in vain. */
const alwaysWaiting: readonly OutboxEvent["type"][] = ["order_placed", "quote_sent"];

/** Seconds until the mail of a new event is sent, unless the consumer of documents enqueues it before. */
export const mailDelaySeconds = (outboxId: string): number =>
  alwaysWaiting.some((type) => outboxId.startsWith(`${type}#`)) ? patienceSeconds : 0;
