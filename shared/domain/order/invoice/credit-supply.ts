import type { ChangeRow } from "../ledger/change-row.ts";
import { invoicedPart, roundingInvoiced } from "./invoiced-supplies.ts";
import { supplyOf, without, withoutEmptyLines } from "./lower-supply.ts";
import { valueOf } from "../ledger/order-value.ts";
import type { OrderRecord } from "../order.ts";
import { type Supply, supplyValue } from "./supply.ts";

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
 * A change with its credit: what it lowers of an invoiced supply, line by line at that line's own tax. A cash
 * refund's rounding is on its credit note; once nothing is left, what the invoices were rounded by is credited too.
 *
 * @param record before the change
 * @param rounding of the order after the change
 */
export function withCredit(
  { order, rows }: OrderRecord,
  change: ChangeRow,
  rounding: number,
): ChangeRow {
  if (!isInvoiced({ order })) return change;
  const changes = [...rows.changes, change];
  const after = supplyOf({ order, rows: { changes } });
  const credit = invoicedPart(order, withoutEmptyLines(without(supplyOf({ order, rows }), after)));
  const value = supplyValue(credit);
  if (value === 0) return change;
  const left = valueOf({ order: { ...order, rounding }, rows: { changes } });
  const off =
    left.goods === 0
      ? roundingInvoiced({ order, rows })
      : valueOf({ order, rows }).rounding - left.rounding;
  const roundOff = Math.max(-value, off);
  return { ...change, credit: { ...credit, ...(roundOff !== 0 && { rounding: roundOff }) } };
}
