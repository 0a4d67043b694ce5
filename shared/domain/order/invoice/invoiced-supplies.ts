import { wholeSupply, withoutEmptyLines } from "./lower-supply.ts";
import type { Invoice, OrderRecord, StoredOrder } from "../order.ts";
import type { Supply } from "./supply.ts";

/** What one invoice of an order covers. */
export interface InvoicedSupply {
  readonly supply: Supply;
  /** Null until the invoice has a number. */
  readonly invoice: Invoice | null;
}

/**
 * What an order's invoices cover: that of the first dispatch comes first, then its supplements by their numbers. Those
 * that have no number yet come last.
 */
export function invoicedSupplies(order: StoredOrder): InvoicedSupply[] {
  const { supplied, invoice, supplements = {} } = order;
  const first = supplied ?? (invoice && wholeSupply(order));
  const further = Object.values(supplements).map(({ supplied: supply, invoice: own }) => ({
    supply,
    invoice: own,
  }));
  return [
    ...(first ? [{ supply: first, invoice }] : []),
    ...further.toSorted((one, other) => placeOf(one.invoice).localeCompare(placeOf(other.invoice))),
  ];
}

const placeOf = (invoice: Invoice | null): string =>
  invoice ? `${invoice.issued_on} ${invoice.number}` : "none";

/** All invoices of an order, the first one first. */
export const invoicesOf = (order: StoredOrder): Invoice[] =>
  invoicedSupplies(order).flatMap(({ invoice }) => invoice ?? []);

/** The invoices that cover something of a supply. */
export const invoicesOver = (order: StoredOrder, supply: Supply): InvoicedSupply[] =>
  invoicedSupplies(order).filter(
    (each) =>
      each.supply.lines.some(({ id }) => supply.lines.some((line) => line.id === id)) ||
      (each.supply.shipping.amount > 0 && supply.shipping.amount > 0),
  );

/** The part of a supply that invoices cover. Delivery is on the first invoice. */
export function invoicedPart(order: StoredOrder, supply: Supply): Supply {
  const invoiced = linesInvoiced(order);
  return { ...supply, lines: supply.lines.filter(({ id }) => invoiced.has(id)) };
}

/** The lines of a supply that no invoice covers yet, without delivery. */
export function partToInvoice(order: StoredOrder, supply: Supply): Supply {
  const invoiced = linesInvoiced(order);
  const { taxes } = supply.shipping;
  return withoutEmptyLines({
    lines: supply.lines.filter(({ id }) => !invoiced.has(id)),
    shipping: { amount: 0, taxes: taxes.map(() => 0) },
  });
}

const linesInvoiced = (order: StoredOrder): ReadonlySet<string> =>
  new Set(invoicedSupplies(order).flatMap(({ supply }) => supply.lines.map(({ id }) => id)));

/** What the order's invoices, less its credit notes, have rounded off (negative) or up. */
export const roundingInvoiced = ({
  order,
  rows,
}: {
  readonly order: StoredOrder;
  readonly rows: Pick<OrderRecord["rows"], "changes">;
}): number =>
  invoicedSupplies(order).reduce((sum, { supply: { rounding = 0 } }) => sum + rounding, 0) -
  rows.changes.reduce((sum, { credit }) => sum + (credit?.rounding ?? 0), 0);
