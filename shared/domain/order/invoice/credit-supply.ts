import { amountDue } from "../../payment/owing.ts";
import { cashFor } from "../../payment/rounding.ts";
import {
  invoicedSupplies,
  partToInvoice,
  roundingInvoiced,
  supplyOf,
  withoutEmptyLines,
  invoicedPart,
  without,
} from "./invoiced-supplies.ts";
import type { OrderRecord, Shipment, StoredOrder } from "../order.ts";
import { supplyValue, type Supply } from "./supply.ts";
import type { ChangeRow } from "../ledger/change-row.ts";
import { valueOf } from "../ledger/order-value.ts";

/** What a dispatch sets in its order when it needs an invoice. */
interface DispatchInvoice {
  readonly set: Partial<Pick<StoredOrder, "rounding" | "supplied" | "supplements">>;
  /** Whether it is a supplement to the order's first invoice. */
  readonly supplement: boolean;
}

/**
 * What the dispatch of a shipment invoices. The first one invoices everything still to be supplied. A later one with units
 * of lines that were added since has a supplement over all such lines. What is worth nothing, such as a sample, has no
 * invoice. What is paid in cash on delivery is rounded then.
 *
 * @param record before the dispatch
 */
export function invoiceOfDispatch(
  record: OrderRecord,
  { id, items }: Pick<Shipment, "id" | "items">,
): DispatchInvoice | undefined {
  const { order } = record;
  const isFirst = invoicedSupplies(order).length === 0;
  const supply = isFirst
    ? withoutEmptyLines(supplyOf(record))
    : partToInvoice(order, supplyOf(record));
  const value = supplyValue(supply);
  const isNamed = items.some((item) => supply.lines.some((line) => line.id === item.id));
  if (value === 0 || (order.status === "shipped" && !isNamed)) return undefined;
  const rounding = roundingOnDelivery(order);
  const roundOff = Math.max(-value, rounding - roundingInvoiced(record));
  const supplied = { ...supply, ...(roundOff !== 0 && { rounding: roundOff }) };
  if (isFirst) return { set: { rounding, supplied }, supplement: false };
  const supplements = { ...order.supplements, [id]: { supplied, invoice: null } };
  return { set: { rounding, supplements }, supplement: true };
}

/** What an order is rounded by if what is due on delivery is paid in cash. */
function roundingOnDelivery(order: StoredOrder): number {
  const due = order.payment_method === "cod" ? amountDue(order) : 0;
  return due > 0 ? order.rounding + cashFor(order, due) - due : order.rounding;
}

/** Whether the order has an invoice, or will get it: from its first dispatch on. */
export const isInvoiced = ({ order: { supplied, invoice } }: Pick<OrderRecord, "order">): boolean =>
  supplied !== undefined || invoice !== null;

/** What a change of an order takes off the invoiced supply. */
export interface Credit {
  /** Id of the change. */
  readonly id: string;
  readonly credit: Supply;
  /** Whether units went, or only their price was lowered. */
  readonly hasUnits: boolean;
}

/** All credits of an order. Each of them has a credit note, or will have one. */
export const creditsOf = ({ rows }: Pick<OrderRecord, "rows">): Credit[] =>
  rows.changes.flatMap(({ id, credit, taken_off, came_back }) =>
    credit ? [{ id, credit, hasUnits: taken_off.length > 0 || came_back.length > 0 }] : [],
  );

/**
 * A change with its credit: what it lowers of an invoiced supply, line by line at that line's own tax. The credit note
 * shows what the order is rounded by anew; once nothing is left, what the invoices were rounded by is credited too.
 *
 * @param record before the change
 * @param rounding of the order after the change
 */
export function withCredit(record: OrderRecord, change: ChangeRow, rounding: number): ChangeRow {
  const credit = creditOf(record, change);
  const value = supplyValue(credit);
  if (value === 0) return change;
  const { order, rows } = record;
  const changes = [...rows.changes, change];
  const left = valueOf({ order: { ...order, rounding }, rows: { changes } });
  const off =
    left.goods === 0
      ? roundingInvoiced({ order, rows })
      : valueOf({ order, rows }).rounding - left.rounding;
  const roundOff = Math.max(-value, off);
  return { ...change, credit: { ...credit, ...(roundOff !== 0 && { rounding: roundOff }) } };
}

/**
 * What an order is rounded by after a change that sets no rounding. What is left to pay on delivery of an invoiced
 * order is rounded anew, so that its invoices less its credit notes are what the buyer pays at the door. Once nothing is
 * left to pay, only earlier payments are rounded.
 *
 * @param record before the change
 * @param received the money received after the change
 */
export function roundingAfterCredit(
  record: OrderRecord,
  change: ChangeRow,
  received: number,
): number {
  const { order, rows } = record;
  const isDueAtDoor = order.payment_method === "cod" && amountDue(order) > 0;
  if (!isDueAtDoor || supplyValue(creditOf(record, change)) === 0) return order.rounding;
  // What is added and not invoiced yet is rounded with its own invoice.
  const after = supplyOf({ order, rows: { changes: [...rows.changes, change] } });
  const current = supplyValue(invoicedPart(order, after));
  if (current + order.rounding_paid <= received) return order.rounding_paid;
  return roundingOnDelivery({ ...order, rounding: 0, current, received });
}

/** What a change takes off the invoiced supply, before it is rounded. */
function creditOf({ order, rows }: OrderRecord, change: ChangeRow): Supply {
  const before = supplyOf({ order, rows });
  const after = isInvoiced({ order })
    ? supplyOf({ order, rows: { changes: [...rows.changes, change] } })
    : before;
  return invoicedPart(order, withoutEmptyLines(without(before, after)));
}
