import { roundHalfEven, splitByLargestRemainder } from "../../base/money.ts";
import { type TaxComponent, taxOf } from "../../pricing/tax.ts";
import type { OrderItem, OrderRecord, StoredOrder } from "../order.ts";
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
