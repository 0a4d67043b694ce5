import { roundHalfEven, splitByLargestRemainder } from "../../base/money.ts";
import { type TaxComponent, taxOf } from "../../pricing/tax.ts";
import type { OrderItem, OrderRecord, StoredOrder, Invoice } from "../order.ts";
import { type Priced, valueOf } from "../ledger/order-value.ts";
import { type SuppliedLine, type SuppliedPart, type Supply, supplyValue } from "./supply.ts";

type Supplied = Priced & Pick<StoredOrder, "shipping">;

/** What an order supplies at its current value, with the tax in it. A line stays even if nothing is left of it. */
export function supplyOf({
  order,
  rows,
}: {
  readonly order: Supplied;
  readonly rows: Pick<OrderRecord["rows"], "changes">;
}): Supply {
  const { lines, shipping } = valueOf({ order, rows });
  return {
    lines: order.items.map((item) => {
      const { units = 0, amount = 0 } = lines.get(item.id) ?? {};
      return lineOf(item, units, amount);
    }),
    shipping: shippingOf(order, shipping),
  };
}

/** The whole order as a supply. Invoices of releases that stored no supply cover it. */
export const wholeSupply = (order: Supplied): Supply => supplyOf({ order, rows: { changes: [] } });

/** A supply less a part of it. */
export function without(supply: Supply, off: Supply): Supply {
  const byId = new Map(off.lines.map((line) => [line.id, line]));
  return {
    lines: supply.lines.map((line) => {
      const less = byId.get(line.id);
      return less
        ? { id: line.id, quantity: line.quantity - less.quantity, ...difference(line, less) }
        : line;
    }),
    shipping: difference(supply.shipping, off.shipping),
  };
}

/** A supply without the lines of which nothing is left. */
export const withoutEmptyLines = ({ lines, shipping }: Supply): Supply => ({
  lines: lines.filter(({ quantity, amount }) => quantity > 0 || amount > 0),
  shipping,
});

/**
 * An amount as a part of a supply, spread over it in proportion.
 *
 * @param amount including tax; at most the supply's value counts
 */
export function partOfSupply(order: Supplied, supply: Supply, amount: number): Supply {
  const shares = splitByLargestRemainder(Math.min(amount, supplyValue(supply)), [
    ...supply.lines.map((line) => line.amount),
    supply.shipping.amount,
  ]);
  const items = new Map(order.items.map((item) => [item.id, item]));
  return {
    lines: supply.lines.flatMap((line, index): SuppliedLine[] => {
      const item = items.get(line.id);
      const share = shares[index] ?? 0;
      return item && share > 0 ? [lineOf(item, 0, share)] : [];
    }),
    shipping: shippingOf(order, shares.at(-1) ?? 0),
  };
}

const lineOf = (item: OrderItem, quantity: number, amount: number): SuppliedLine => ({
  id: item.id,
  quantity,
  amount,
  taxes: taxesIn(item.tax_components, item.line_total, amount),
});

/** The price of delivery includes its tax, also where the shop's prices do not. */
const shippingOf = ({ shipping }: Supplied, amount: number): SuppliedPart => ({
  amount,
  taxes: taxOf(amount, shipping.tax_components, { inclusive: true }).components.map(
    (component) => component.amount,
  ),
});

/** The tax in a part of an amount. Components that are equal in the whole are equal in the part. */
const taxesIn = (components: readonly TaxComponent[], whole: number, amount: number): number[] =>
  components.map((component) =>
    whole === 0 ? 0 : roundHalfEven(BigInt(component.amount) * BigInt(amount), whole),
  );

const difference = (part: SuppliedPart, less: SuppliedPart): SuppliedPart => ({
  amount: part.amount - less.amount,
  taxes: part.taxes.map((tax, index) => tax - (less.taxes[index] ?? 0)),
});

/** What one invoice of an order covers. */
interface InvoicedSupply {
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
