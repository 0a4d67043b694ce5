import { type LedgerRow, refundDue } from "../payment/payment.ts";
import { lowering, priceOfUnits, wholeSupply, without } from "./lower-supply.ts";
import type { OrderRecord } from "./order.ts";
import { type Supply, supplyValue } from "./supply.ts";

/**
 * What is left of the invoiced supply after all credits; undefined if nothing was invoiced yet. Everything that lowers it
 * has a credit note.
 */
export function supplyLeft({ order, rows }: OrderRecord): Supply | undefined {
  const supplied = order.supplied ?? (order.invoice === null ? undefined : wholeSupply(order));
  if (!supplied) return undefined;
  return creditsOf({ order, rows }).reduce((left, { credit }) => without(left, credit), supplied);
}

/** A credit of an order: what a refund, or the end of an order that came back, takes off the invoiced supply. */
export interface Credit {
  /** Id of the refund, or of the order that came back. */
  readonly id: string;
  readonly credit: Supply;
}

/** All credits of an order. Each of them has a credit note, or will have one. */
export const creditsOf = ({ order, rows }: OrderRecord): Credit[] => [
  ...rows.transactions.flatMap(({ id, credit }) => (credit ? [{ id, credit }] : [])),
  ...(order.returned_credit ? [{ id: order.id, credit: order.returned_credit }] : []),
];

/**
 * New ledger rows with their credits. The refunds of one request have one credit, in the first row. What a refund
 * returns of an overpayment lowers no supply, and a refund that repeats a failed one is not credited again.
 *
 * @param record before the rows are added
 */
export function withCredits(record: OrderRecord, rows: readonly LedgerRow[]): readonly LedgerRow[] {
  let left = supplyLeft(record);
  if (!left) return rows;
  const known = new Set(record.rows.transactions.map(({ id }) => id));
  const added = rows.filter(
    ({ id, type, state }) => type === "refund" && state !== "failed" && !known.has(id),
  );
  const credits = new Map<string, Supply>();
  let kept = refundDue(record.rows.transactions);
  for (const batch of Map.groupBy(added, ({ id, batch_id }) => batch_id ?? id).values()) {
    const [first] = batch;
    const amount = batch.reduce((sum, row) => sum + row.amount, 0);
    const credit = creditOf(record, left, {
      amount,
      kept,
      units: batch.flatMap(({ items }) => items),
    });
    kept -= amount;
    if (!first || supplyValue(credit) === 0) continue;
    credits.set(first.id, credit);
    left = without(left, credit);
  }
  return rows.map((row) => {
    const credit = credits.get(row.id);
    return credit ? { ...row, credit } : row;
  });
}

interface Refunded {
  readonly amount: number;
  /** The money that the shop held before the refund. */
  readonly kept: number;
  readonly units: readonly { readonly id: string; readonly quantity: number }[];
}

function creditOf({ order }: OrderRecord, left: Supply, { amount, kept, units }: Refunded): Supply {
  const surplus = Math.max(0, kept - supplyValue(left));
  const price = left.lines.reduce((sum, line) => sum + priceOfUnits(order, line, units), 0);
  return lowering(order, left, {
    amount: amount - Math.min(surplus, Math.max(0, amount - price)),
    units,
  });
}

/**
 * The credit of an order that came back: everything that was not paid, or was refunded without a credit. What the shop
 * keeps of the payments stays invoiced until it is refunded.
 */
export function creditOfReturn(record: OrderRecord): Supply | undefined {
  const left = supplyLeft(record);
  if (!left) return undefined;
  const value = supplyValue(left);
  const unpaid = value - Math.min(value, refundDue(record.rows.transactions));
  if (unpaid === 0) return undefined;
  return unpaid === value ? left : lowering(record.order, left, { amount: unpaid });
}
