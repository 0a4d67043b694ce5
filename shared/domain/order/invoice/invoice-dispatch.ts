import { amountDue } from "../../payment/owing.ts";
import { cashFor } from "../../payment/rounding.ts";
import { invoicedSupplies, partToInvoice, roundingInvoiced } from "./invoiced-supplies.ts";
import { supplyOf, withoutEmptyLines } from "./lower-supply.ts";
import type { OrderRecord, Shipment, StoredOrder } from "../order.ts";
import { supplyValue } from "./supply.ts";

/** What a dispatch sets in its order when it needs an invoice. */
export interface DispatchInvoice {
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
export function roundingOnDelivery(order: StoredOrder): number {
  const due = order.payment_method === "cod" ? amountDue(order) : 0;
  return due > 0 ? order.rounding + cashFor(order, due) - due : order.rounding;
}
