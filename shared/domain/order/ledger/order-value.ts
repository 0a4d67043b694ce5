import { roundHalfEven, splitByLargestRemainder } from "../../base/money.ts";
import type { ChangeRow } from "./change-row.ts";
import type { OrderItem, OrderRecord, StoredOrder } from "../order.ts";

/** What a line is worth. */
export interface LineValue {
  /** Units that count: neither taken off, nor back, nor paid back to a buyer who keeps them. */
  readonly units: number;
  /** The value of these units, less reductions, and what the shop keeps of units that went; including tax. */
  readonly amount: number;
}

/**
 * What an order is worth. All amounts include tax, in minor units, and none is negative.
 *
 * - A line's units are worth their share of `line_total`. Shares are cumulative: when g of n units do not count, the
 *   line is worth `line_total − round(line_total × g / n)`, so the shares of all units add up exactly.
 * - A reduction is spread over the units that counted when it was made, and shrinks with them.
 * - What the shop keeps of units that went stays, until a reduction exceeds what the units are worth.
 * - Delivery is worth its agreed price, or the price that its last change set, less later reductions. Once every unit is
 *   taken off or back, it is worth nothing, unless units were delivered and the order does not refund delivery.
 * - What cash was rounded by counts as long as anything else does.
 *
 * A unit counts until it is taken off, comes back or is paid back. Of the units that come back, those that were paid
 * back go first, so none is paid back twice.
 */
export interface OrderValue {
  readonly lines: ReadonlyMap<string, LineValue>;
  readonly shipping: number;
  /** Lines and delivery. */
  readonly goods: number;
  readonly rounding: number;
  /** The sum of all. */
  readonly current: number;
}

/** What the value of an order depends on besides its changes. */
export type Priced = Pick<StoredOrder, "items" | "totals" | "refund_shipping" | "rounding">;

interface LineState {
  readonly item: OrderItem;
  /** Units that were neither taken off nor came back. */
  present: number;
  /** Present units whose value was taken off. */
  paidBack: number;
  reduced: number;
  /** What the shop keeps of units that went. */
  kept: number;
}

/** The value of an order, from its lines and the changes that were made. */
export function valueOf({
  order,
  rows,
}: {
  readonly order: Priced;
  readonly rows: Pick<OrderRecord["rows"], "changes">;
}): OrderValue {
  const states = new Map(
    order.items.map((item): [string, LineState] => [
      item.id,
      { item, present: item.quantity, paidBack: 0, reduced: 0, kept: 0 },
    ]),
  );
  for (const change of rows.changes) apply(change, states);
  const isOver = [...states.values()].every(({ present }) => present === 0);
  const wasDelivered = rows.changes.some(({ came_back }) =>
    came_back.some(({ undelivered }) => !undelivered),
  );
  const isShippingOff = isOver && !(wasDelivered && !order.refund_shipping);
  const shipping = isShippingOff ? 0 : shippingWorth(order, rows.changes);
  const lines = new Map(
    Array.from(states, ([id, line]): [string, LineValue] => [
      id,
      { units: counted(line), amount: worth(line) },
    ]),
  );
  const goods = linesWorth({ lines }) + shipping;
  const rounding = goods === 0 ? 0 : Math.max(-goods, order.rounding);
  return { lines, shipping, goods, rounding, current: goods + rounding };
}

/** What an order is worth after a further change. */
export const valueAfter = (
  { order, rows }: Parameters<typeof valueOf>[0],
  {
    taken_off = [],
    came_back = [],
    paid_back = [],
    reduced = [],
    kept = [],
    shipping,
  }: Partial<
    Pick<ChangeRow, "taken_off" | "came_back" | "paid_back" | "reduced" | "kept" | "shipping">
  >,
): OrderValue => {
  const members = { taken_off, came_back, paid_back, reduced, kept, added: [] };
  const change = { id: "", version: 0, at: "", ...members, ...(shipping && { shipping }) };
  return valueOf({ order, rows: { changes: [...rows.changes, change] } });
};

/** What all lines are worth, without delivery. */
export const linesWorth = ({ lines }: Pick<OrderValue, "lines">): number =>
  [...lines.values()].reduce((sum, { amount }) => sum + amount, 0);

function apply(change: ChangeRow, lines: ReadonlyMap<string, LineState>): void {
  for (const { id, quantity } of change.taken_off) {
    const line = lines.get(id);
    if (!line) continue;
    stopCounting(line, quantity);
    line.present -= quantity;
  }
  for (const { id, quantity } of change.came_back) {
    const line = lines.get(id);
    if (!line) continue;
    const alreadyPaid = Math.min(quantity, line.paidBack);
    stopCounting(line, quantity - alreadyPaid);
    line.paidBack -= alreadyPaid;
    line.present -= quantity;
  }
  for (const { id, quantity } of change.paid_back) {
    const line = lines.get(id);
    if (!line) continue;
    stopCounting(line, quantity);
    line.paidBack += quantity;
  }
  for (const { id, amount } of change.kept) {
    const line = lines.get(id);
    if (line) line.kept += amount;
  }
  for (const { id, amount } of change.reduced) {
    const line = id === null ? undefined : lines.get(id);
    if (!line) continue;
    const ofUnits = Math.min(amount, unitsWorth(line));
    line.reduced += ofUnits;
    line.kept -= amount - ofUnits;
  }
}

/** What delivery is worth while units count. */
const shippingWorth = ({ totals }: Priced, changes: readonly ChangeRow[]): number =>
  changes.reduce(
    (worth, { shipping, reduced }) =>
      reduced.reduce(
        (left, { id, amount }) => (id === null ? left - amount : left),
        shipping?.amount ?? worth,
      ),
    totals.shipping,
  );

const counted = ({ present, paidBack }: LineState): number => present - paidBack;

const unitsWorth = (line: LineState): number => share(line.item, counted(line)) - line.reduced;

const worth = (line: LineState): number => unitsWorth(line) + line.kept;

/** What this many units of a line are worth before reductions. */
const share = ({ line_total, quantity }: OrderItem, units: number): number =>
  line_total - roundHalfEven(BigInt(line_total) * BigInt(quantity - units), quantity);

/** Lowers the reduction with the units: what is left is worth no more than before, and not less than 0. */
function stopCounting(line: LineState, quantity: number): void {
  const before = counted(line);
  if (quantity === 0 || before === 0) return;
  const left = share(line.item, before - quantity);
  const reduced = line.reduced - roundHalfEven(BigInt(line.reduced) * BigInt(quantity), before);
  const least = left - unitsWorth(line);
  line.reduced = Math.max(0, Math.min(left, Math.max(least, reduced)));
}

/**
 * Spreads a reduction over lines and delivery in proportion to what they are worth.
 *
 * @param amount at most what they are worth is taken off
 */
export function reductionOf(
  amount: number,
  { lines, shipping, goods }: Pick<OrderValue, "lines" | "shipping" | "goods">,
): ChangeRow["reduced"] {
  const parts = [
    ...Array.from(lines, ([id, line]) => ({ id, weight: line.amount })),
    { id: null, weight: shipping },
  ];
  const amounts = splitByLargestRemainder(
    Math.min(amount, goods),
    parts.map(({ weight }) => weight),
  );
  return parts.flatMap(({ id }, index) => (amounts[index] ? [{ id, amount: amounts[index] }] : []));
}

/**
 * Spreads what the shop keeps over the lines whose units go, in proportion to what they are worth.
 *
 * @param worth what each line is worth by line id
 */
export function keptOf(
  amount: number,
  worth: readonly { readonly id: string; readonly amount: number }[],
): ChangeRow["kept"] {
  const weights = worth.map((line) => line.amount);
  const isWorthless = weights.every((weight) => weight === 0);
  const amounts = splitByLargestRemainder(amount, isWorthless ? weights.map(() => 1) : weights);
  return worth.flatMap(({ id }, index) => (amounts[index] ? [{ id, amount: amounts[index] }] : []));
}

/** What each line is worth less after a change. */
export const loweredBy = (
  before: OrderValue,
  after: OrderValue,
): { readonly id: string; readonly amount: number }[] =>
  Array.from(before.lines, ([id, { amount }]) => ({
    id,
    amount: amount - (after.lines.get(id)?.amount ?? 0),
  }));

/** What units of lines are worth at the lines' current value. */
export const worthOfUnits = (
  { lines }: Pick<OrderValue, "lines">,
  units: ReadonlyMap<string, number>,
): number =>
  Array.from(units, ([id, quantity]) => {
    const line = lines.get(id);
    if (!line || line.units === 0) return 0;
    const some = BigInt(Math.min(quantity, line.units));
    return roundHalfEven(BigInt(line.amount) * some, line.units);
  }).reduce((sum, amount) => sum + amount, 0);
