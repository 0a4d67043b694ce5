import type { OutboxEvent } from "../base/outbox-event.ts";
import type { Timestamp } from "../base/text.ts";
import type { StockChange } from "../catalog/stock.ts";
import type { AdditionTerms } from "../payment/addition.ts";
import type { LedgerRow } from "../payment/payment.ts";
import type { InvoiceRequest } from "./invoice/invoice.ts";
import type { ChangeRow } from "./ledger/change-row.ts";
import type { OrderReturn } from "./returns/order-return.ts";
import type {
  OrderItem,
  RaisedFlag,
  Shipment,
  StoredOrder,
  TimelineEntry,
  OrderRecord,
  OrderRows,
} from "./order.ts";

/**
 * Everything that one step changes in an order, except counters. Their changes follow from the statuses before and
 * after.
 */
export interface OrderChange {
  /** The order after the change, with the next version. */
  readonly order: StoredOrder;
  readonly entries: readonly TimelineEntry[];
  /** New rows, and replacements of rows with the same id. */
  readonly transactions: readonly LedgerRow[];
  readonly shipments: readonly Shipment[];
  /** New rows of the ledgers; at most one. */
  readonly changes: readonly ChangeRow[];
  /** New cases, and replacements of cases with the same id. */
  readonly returns: readonly OrderReturn[];
  /** The changes of stock rows, keyed by their ids. */
  readonly stock: ReadonlyMap<string, StockChange>;
  readonly events: readonly OutboxEvent[];
  /** The times at which to check the order. */
  readonly checksAt: readonly Timestamp[];
  /** The invoice that the order gets. */
  readonly invoice: InvoiceRequest | null;
}

/** A step of an order; members that are left out stay unchanged. */
export interface Step {
  readonly set?: Partial<
    Omit<
      StoredOrder,
      | "id"
      | "number"
      | "version"
      | "updated_at"
      | "paid"
      | "refunded"
      | "current"
      | "received"
      | "disputed"
      | "payment_status"
    >
  >;
  readonly entries?: readonly Omit<TimelineEntry, "at">[];
  readonly transactions?: readonly LedgerRow[];
  readonly shipments?: readonly Shipment[];
  readonly returns?: readonly OrderReturn[];
  /** Units that will never be sent. */
  readonly taken_off?: ChangeRow["taken_off"];
  /** Units that were sent and are back. */
  readonly came_back?: ChangeRow["came_back"];
  /** Units that stay with the buyer, but whose value is taken off. */
  readonly paid_back?: ChangeRow["paid_back"];
  /** Value that is taken off without units. */
  readonly reduced?: ChangeRow["reduced"];
  /** Lines that are added, and when they have to be paid. */
  readonly added?: readonly OrderItem[];
  readonly additionTerms?: AdditionTerms;
  /** Another delivery. Its method is set in the order, too. */
  readonly shipping?: ChangeRow["shipping"];
  /** What the shop keeps of units that go. */
  readonly kept?: ChangeRow["kept"];
  /** Id of the change's row; by default it follows from the order's id and version. */
  readonly changeId?: string;
  readonly stock?: OrderChange["stock"];
  readonly events?: readonly OutboxEvent[];
  readonly checksAt?: readonly Timestamp[];
  readonly invoice?: InvoiceRequest | null;
  /** Attention flags. Staff see them in the order and receive a mail. */
  readonly attention?: readonly RaisedFlag[];
}

/** What staff's step in a part of an order does. */
export type StaffStep =
  /** The order has no such part. */
  | { readonly kind: "unknown" }
  /** The part already is as asked for: a repeat changes nothing. */
  | { readonly kind: "already" }
  /** @see `from` is the part's present state */
  | { readonly kind: "refused"; readonly from: string; readonly message: string }
  | { readonly kind: "changed"; readonly change: OrderChange };

/** The order with further lines. */
export const withLines = (
  { order, rows }: OrderRecord,
  lines: readonly OrderItem[],
): OrderRecord => ({ order: { ...order, items: [...order.items, ...lines] }, rows });

/** The order and its rows after the change. */
export function changed({ rows }: OrderRecord, change: OrderChange): OrderRecord {
  return { order: change.order, rows: changedRows(rows, change) };
}

/** The rows after the change. */
export function changedRows(
  rows: OrderRows,
  change: Pick<OrderChange, "entries" | "transactions" | "shipments" | "changes" | "returns">,
): OrderRows {
  return {
    timeline: [...rows.timeline, ...change.entries],
    transactions: withRows(rows.transactions, change.transactions),
    shipments: withRows(rows.shipments, change.shipments),
    changes: [...rows.changes, ...change.changes],
    returns: withRows(rows.returns, change.returns),
  };
}

/** Replaces rows with the same id and appends new ones. */
export function withRows<Row extends { readonly id: string }>(
  rows: readonly Row[],
  changes: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of changes) byId.set(row.id, row);
  return [...byId.values()];
}
