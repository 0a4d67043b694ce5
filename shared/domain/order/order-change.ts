import type { TakenNumber } from "./invoice.ts";
import type {
  Attention,
  OrderRecord,
  OrderRows,
  Shipment,
  StoredOrder,
  TimelineEntry,
} from "./order.ts";
import { canMove, orderMachine } from "./order-states.ts";
import type { OutboxEvent } from "../base/outbox-event.ts";
import { type Transaction, moneyMoved, paymentStatus } from "../payment/payment.ts";
import type { StockChange } from "../catalog/stock.ts";
import type { Timestamp } from "../base/text.ts";

/** Everything that one step does to an order; what it means for counters follows from the states around it. */
export interface OrderChange {
  /** As it is afterwards, its version raised. */
  readonly order: StoredOrder;
  readonly entries: readonly TimelineEntry[];
  /** New, or in place of those with their ids. */
  readonly transactions: readonly Transaction[];
  readonly shipments: readonly Shipment[];
  /** By SKU. */
  readonly stock: ReadonlyMap<string, StockChange>;
  readonly tells: readonly OutboxEvent[];
  /** When something more may have to be done to it. */
  readonly lookAt: readonly Timestamp[];
  /** The number of the invoice that it gets. */
  readonly invoice: TakenNumber | null;
}

/** What a step is made of; members that are left out stay as they are. */
export interface Step {
  readonly set?: Partial<
    Omit<
      StoredOrder,
      "id" | "number" | "version" | "updated_at" | "paid" | "refunded" | "payment_status"
    >
  >;
  readonly entries?: readonly Omit<TimelineEntry, "at">[];
  readonly transactions?: readonly Transaction[];
  readonly shipments?: readonly Shipment[];
  readonly stock?: OrderChange["stock"];
  readonly tells?: readonly OutboxEvent[];
  readonly lookAt?: readonly Timestamp[];
  readonly invoice?: TakenNumber | null;
  /** Staff are told of it, in the order and by mail. */
  readonly attention?: readonly Omit<Attention, "at">[];
}

/**
 * The change that a step makes. What is paid, given back and said of it is reckoned from the ledger here and nowhere else.
 *
 * @throws TypeError when the step moves the order where its machine does not go
 */
export function changeOf({ order, rows }: OrderRecord, step: Step, now: Date): OrderChange {
  const at = notBefore(order.updated_at, now);
  const { set = {}, attention = [] } = step;
  if (set.status && set.status !== order.status && !canMove(orderMachine, order.status, set.status))
    throw new TypeError(`No order goes from ${order.status} to ${set.status}`);
  const after = { ...order, ...set };
  const ledger = withRows(rows.transactions, step.transactions ?? []);
  const { payment_method, totals, status } = after;
  const payment_status = paymentStatus(ledger, payment_method, totals.grand_total, status);
  // A surplus that was given back is nothing to look at any more.
  const flags = after.attention.filter(
    ({ code }) => code !== "overpaid" || payment_status === "overpaid",
  );
  return {
    order: {
      ...after,
      ...moneyMoved(ledger),
      payment_status,
      attention: [...flags, ...attention.map((flag) => ({ ...flag, at }))],
      version: order.version + 1,
      updated_at: at,
    },
    entries: (step.entries ?? []).map((entry) => ({ ...entry, at })),
    transactions: step.transactions ?? [],
    shipments: step.shipments ?? [],
    stock: step.stock ?? new Map(),
    tells: [
      ...(step.tells ?? []),
      ...attention.map(({ code }) => ({
        type: "order_attention" as const,
        order_id: order.id,
        code,
        at,
      })),
    ],
    lookAt: step.lookAt ?? [],
    invoice: step.invoice ?? null,
  };
}

/** Of two calls that meet, the one that began first may come second: what an order tells of itself never goes back in time. */
const notBefore = (last: Timestamp, now: Date): Timestamp => {
  const at = now.toISOString();
  return at > last ? at : last;
};

/** The change with more entries of the order's history, below its own. */
export const withEntries = (
  change: OrderChange,
  entries: readonly Omit<TimelineEntry, "at">[],
): OrderChange => ({
  ...change,
  entries: [
    ...change.entries,
    ...entries.map((entry) => ({ ...entry, at: change.order.updated_at })),
  ],
});

/** The order and its rows as the change leaves them. */
export function changed({ rows }: OrderRecord, change: OrderChange): OrderRecord {
  return { order: change.order, rows: changedRows(rows, change) };
}

function changedRows(rows: OrderRows, change: OrderChange): OrderRows {
  return {
    timeline: [...rows.timeline, ...change.entries],
    transactions: withRows(rows.transactions, change.transactions),
    shipments: withRows(rows.shipments, change.shipments),
  };
}

/** Rows with those of the same id replaced, and new ones behind them. */
export function withRows<Row extends { readonly id: string }>(
  rows: readonly Row[],
  changes: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of changes) byId.set(row.id, row);
  return [...byId.values()];
}

/** One kind of move for the units of every SKU. */
export function eachSku(
  units: ReadonlyMap<string, number>,
  move: (quantity: number) => StockChange,
): OrderChange["stock"] {
  return new Map([...units].map(([sku, quantity]) => [sku, move(quantity)]));
}
