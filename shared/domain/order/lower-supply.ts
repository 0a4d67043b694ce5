import { roundHalfEven, splitByLargestRemainder } from "../base/money.ts";
import type { TaxComponent } from "../pricing/tax.ts";
import type { OrderItem, OrderRecord, StoredOrder } from "./order.ts";
import { unitsOf } from "./order-units.ts";
import { type SuppliedLine, type SuppliedPart, type Supply, supplyValue } from "./supply.ts";

type Priced = Pick<StoredOrder, "items" | "shipping" | "totals">;

/** Units that are no longer supplied. */
export interface UnitsOff {
  readonly id: string;
  readonly quantity: number;
}

/**
 * The supply that the order's invoice covers: everything still to be supplied at the first dispatch, paid or not. Units
 * that were taken off before are not part of it. A price reduction that was refunded before lowers all
 * lines; the refund of an overpayment lowers nothing.
 */
export function supplyAtDispatch({ order, rows }: OrderRecord): Supply {
  const units = unitsOf({ order, rows });
  const gone = order.items.map((item) => {
    const { taken_off = 0, came_back = 0 } = units.get(item.id) ?? {};
    const quantity = taken_off + came_back;
    return { item, quantity, price: priceOfFirst(item, quantity) };
  });
  const supply: Supply = {
    lines: gone.flatMap(({ item, quantity, price }) =>
      quantity === item.quantity
        ? []
        : [lineOf(item, item.quantity - quantity, item.line_total - price)],
    ),
    shipping: shippingOf(order, order.totals.shipping),
  };
  const charged = rows.transactions.filter(
    ({ type, state }) => type === "charge" && state === "succeeded",
  );
  const refunds = rows.transactions.filter(
    ({ type, state }) => type === "refund" && state !== "failed",
  );
  const overpaid = Math.max(0, amountOf(charged) - order.totals.grand_total);
  const priceOfGone = gone.reduce((sum, { price }) => sum + price, 0);
  const reduction = amountOf(refunds) - priceOfGone - overpaid;
  return reduction > 0 ? without(supply, lowering(order, supply, { amount: reduction })) : supply;
}

/** The whole order as a supply. Invoices of releases that stored no supply cover it. */
export const wholeSupply = (order: Priced): Supply => ({
  lines: order.items.map((item) => lineOf(item, item.quantity, item.line_total)),
  shipping: shippingOf(order, order.totals.shipping),
});

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

/**
 * The part that an amount takes off a supply. Named units come off at their price; what the amount has beyond it is
 * spread over the rest of the supply, in proportion.
 *
 * @param off.amount including tax; at most the supply's value is taken off
 */
export function lowering(
  order: Priced,
  supply: Supply,
  { amount, units = [] }: { amount: number; units?: readonly UnitsOff[] },
): Supply {
  const total = Math.min(amount, supplyValue(supply));
  const prices = supply.lines.map((line) => priceOfUnits(order, line, units));
  const ofUnits = Math.min(total, sumOf(prices));
  const unitShares = splitByLargestRemainder(ofUnits, prices);
  const rest = [
    ...supply.lines.map((line, index) => line.amount - (unitShares[index] ?? 0)),
    supply.shipping.amount,
  ];
  const restShares = splitByLargestRemainder(total - ofUnits, rest);
  const items = new Map(order.items.map((item) => [item.id, item]));
  return {
    lines: supply.lines.flatMap((line, index): SuppliedLine[] => {
      const item = items.get(line.id);
      const off = (unitShares[index] ?? 0) + (restShares[index] ?? 0);
      const quantity = unitsOff(line, units);
      if (!item || (off === 0 && quantity === 0)) return [];
      return [
        { id: line.id, quantity, ...partOff(item.tax_components, item.line_total, line, off) },
      ];
    }),
    shipping: partOff(
      order.shipping.tax_components,
      order.totals.shipping,
      supply.shipping,
      restShares.at(-1) ?? 0,
    ),
  };
}

/** The price of units in a supply, as refunds compute it: the prices of all units add up exactly to the line's total. */
export function priceOfUnits(
  { items }: Pick<StoredOrder, "items">,
  line: SuppliedLine,
  units: readonly UnitsOff[],
): number {
  const item = items.find(({ id }) => id === line.id);
  if (!item) return 0;
  const gone = item.quantity - line.quantity;
  const upTo = (count: number) => priceOfFirst(item, count);
  return Math.min(line.amount, upTo(gone + unitsOff(line, units)) - upTo(gone));
}

const unitsOff = (line: SuppliedLine, units: readonly UnitsOff[]): number =>
  Math.min(line.quantity, units.find(({ id }) => id === line.id)?.quantity ?? 0);

const priceOfFirst = ({ line_total, quantity }: OrderItem, count: number): number =>
  roundHalfEven(BigInt(line_total) * BigInt(count), quantity);

const lineOf = (item: OrderItem, quantity: number, amount: number): SuppliedLine => ({
  id: item.id,
  quantity,
  amount,
  taxes: taxesIn(item.tax_components, item.line_total, amount),
});

const shippingOf = ({ shipping, totals }: Priced, amount: number): SuppliedPart => ({
  amount,
  taxes: taxesIn(shipping.tax_components, totals.shipping, amount),
});

/**
 * What lowering a part by `off` takes off it. Taxes are computed from what is left, so that the taxes of all parts add
 * up exactly to the tax of the whole.
 */
function partOff(
  components: readonly TaxComponent[],
  whole: number,
  before: SuppliedPart,
  off: number,
): SuppliedPart {
  const left = taxesIn(components, whole, before.amount - off);
  return { amount: off, taxes: before.taxes.map((tax, index) => tax - (left[index] ?? 0)) };
}

/** The tax in a part of an amount. Components that are equal in the whole are equal in the part. */
const taxesIn = (components: readonly TaxComponent[], whole: number, amount: number): number[] =>
  components.map((component) =>
    whole === 0 ? 0 : roundHalfEven(BigInt(component.amount) * BigInt(amount), whole),
  );

const difference = (part: SuppliedPart, less: SuppliedPart): SuppliedPart => ({
  amount: part.amount - less.amount,
  taxes: part.taxes.map((tax, index) => tax - (less.taxes[index] ?? 0)),
});

const amountOf = (rows: readonly { readonly amount: number }[]): number =>
  sumOf(rows.map(({ amount }) => amount));

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
