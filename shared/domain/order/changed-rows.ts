import type { OrderChange } from "./order-step.ts";
import type { OrderItem, OrderRecord, OrderRows } from "./order.ts";

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
