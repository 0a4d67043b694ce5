import { idWithin } from "../base/ids.ts";
import type { ChangeRow } from "./change-row.ts";
import { confirmed } from "./confirm-order.ts";
import { withCredit } from "./credit-supply.ts";
import { following } from "./following.ts";
import type { InvoiceRequest } from "./invoice.ts";
import {
  type OrderItem,
  type OrderRecord,
  type OrderRows,
  type RaisedFlag,
  type Shipment,
  type StoredOrder,
  type TimelineEntry,
  flagId,
} from "./order.ts";
import { canMove, isUnfulfilled, orderMachine } from "./order-states.ts";
import type { OutboxEvent } from "../base/outbox-event.ts";
import { valueOf } from "./order-value.ts";
import {
  type LedgerRow,
  amountDue,
  amountToConfirm,
  currentOf,
  disputedIn,
  lacksCash,
  moneyMoved,
  openCharges,
  paymentStatus,
  receivedIn,
  surplusOf,
} from "../payment/payment.ts";
import { awaitsReference } from "../payment/refunds.ts";
import { isHeldForBalance } from "../payment/payment-schedule.ts";
import { type AdditionTerms, additionAfter } from "../payment/addition.ts";
import { placedBefore } from "./as-placed.ts";
import { awaitsSlot, isConfirmedLate, slotIsFree } from "./slot-choice.ts";
import type { StockChange } from "../catalog/stock.ts";
import { withAdvances } from "./vouchers.ts";
import type { Timestamp } from "../base/text.ts";

/**
 * Everything that one step changes in an order, except counters. Their changes follow from the statuses before and
 * after.
 */
export interface OrderChange {
  /** The order after the change, with the next version. */
  readonly order: StoredOrder;
  readonly entries: readonly TimelineEntry[];
  /** New rows, and replacements of rows with the same id. */
  readonly transactions: readonly LedgerRow[];
  readonly shipments: readonly Shipment[];
  /** New rows of the ledgers; at most one. */
  readonly changes: readonly ChangeRow[];
  /** The changes of stock rows, keyed by their ids. */
  readonly stock: ReadonlyMap<string, StockChange>;
  readonly events: readonly OutboxEvent[];
  /** The times at which to check the order. */
  readonly checksAt: readonly Timestamp[];
  /** The invoice that the order gets. */
  readonly invoice: InvoiceRequest | null;
}

/** A step of an order; members that are left out stay unchanged. */
export interface Step {
  readonly set?: Partial<
    Omit<
      StoredOrder,
      | "id"
      | "number"
      | "version"
      | "updated_at"
      | "paid"
      | "refunded"
      | "current"
      | "received"
      | "disputed"
      | "payment_status"
    >
  >;
  readonly entries?: readonly Omit<TimelineEntry, "at">[];
  readonly transactions?: readonly LedgerRow[];
  readonly shipments?: readonly Shipment[];
  /** Units that will never be sent. */
  readonly taken_off?: ChangeRow["taken_off"];
  /** Units that were sent and are back. */
  readonly came_back?: ChangeRow["came_back"];
  /** Units that stay with the buyer, but whose value is taken off. */
  readonly paid_back?: ChangeRow["paid_back"];
  /** Value that is taken off without units. */
  readonly reduced?: ChangeRow["reduced"];
  /** Lines that are added, and when they have to be paid. */
  readonly added?: readonly OrderItem[];
  readonly additionTerms?: AdditionTerms;
  /** What the shop keeps of units that go. */
  readonly kept?: ChangeRow["kept"];
  /** Id of the change's row; by default it follows from the order's id and version. */
  readonly changeId?: string;
  readonly stock?: OrderChange["stock"];
  readonly events?: readonly OutboxEvent[];
  readonly checksAt?: readonly Timestamp[];
  readonly invoice?: InvoiceRequest | null;
  /** Attention flags. Staff see them in the order and receive a mail. */
  readonly attention?: readonly RaisedFlag[];
}

/**
 * The change that a step makes. What the order is worth, the received money, the payment status, credits, and the
 * statuses that follow from where the units and the money are, are computed here and nowhere else. A slot whose order is
 * confirmed too late, or has no more units to send, is taken from it here.
 *
 * @throws TypeError when `orderMachine` does not contain the status change
 */
export function changeOf(record: OrderRecord, made: Step, now: Date): OrderChange {
  const { order, rows } = record;
  const at = notBefore(order.updated_at, now);
  const changes = changeRows(record, made, at);
  const grown = withLines(record, made.added ?? []);
  const step = withConfirmation(grown, made, changes);
  const { set = {}, attention = [], shipments = [] } = step;
  if (set.status && set.status !== order.status && !canMove(orderMachine, order.status, set.status))
    throw new TypeError(`An order cannot change from ${order.status} to ${set.status}`);
  const withUnits: OrderRecord = {
    order: { ...grown.order, ...set },
    rows: changedRows(rows, { entries: [], transactions: [], shipments, changes }),
  };
  const follows = following(withUnits, at);
  const next = { ...withUnits.order, ...follows.set };
  const isLate = isConfirmedLate(order, next, at);
  const after = isLate ? { ...next, slot: null } : next;
  const booked = withChange(rows.transactions, step.transactions ?? [], changes[0]);
  const transactions = withAdvances(record, after.status, booked);
  const entries = [
    ...(step.entries ?? []),
    ...follows.entries,
    ...(isLate ? [slotIsFree] : []),
  ].map((entry) => ({ ...entry, at }));
  const ledger = withRows(rows.transactions, transactions);
  const owing = {
    ...after,
    ...moneyMoved(ledger),
    received: receivedIn(ledger),
    disputed: disputedIn(ledger),
  };
  const { current, rounding, goods } = valueOf(withUnits);
  const by = goods - valueOf(record).goods;
  const addition = additionAfter(order.addition, by, made.additionTerms);
  const worth = { ...owing, current, rounding, addition };
  const payment_status = paymentStatus(ledger, {
    method: after.payment_method,
    current: currentOf(worth),
    status: after.status,
  });
  // The check cancels gateway payments whose amount is no longer what is due.
  const endsPayments = changes.length > 0 && openCharges(ledger).length > 0;
  const isNew =
    payment_status === "overpaid" && !after.attention.some(({ code }) => code === "overpaid");
  const isToFlag = isNew && order.payment_status !== "overpaid" && attention.length === 0;
  const raised = (isToFlag ? [tooMuch] : attention).map((flag: RaisedFlag) => ({
    ...flag,
    about: flag.about ?? null,
    at,
  }));
  const raisedIds = new Set(raised.map(flagId));
  const flags = after.attention.filter((flag) => {
    const { code, at: since } = flag;
    // A flag stands once: the latest one says how things are.
    if (raisedIds.has(flagId(flag))) return false;
    // A refunded overpayment needs no attention, and neither does a balance that no longer keeps the order back.
    if (code === "refund_to_make" && flag.about !== null) {
      return ledger.some((row) => row.id === flag.about && awaitsReference(row));
    }
    if (code === "cash_missing") return amountDue(worth) > 0;
    if (code === "overpaid") return payment_status === "overpaid";
    if (code === "refund_failed") return surplusOf(worth) > 0 || !isRepeated(ledger, since);
    return code !== "balance_overdue" || (!isUnfulfilled(after.status) && isHeldForBalance(worth));
  });
  const changedOrder: StoredOrder = {
    ...worth,
    payment_status,
    attention: [...flags, ...raised],
    placed: placedBefore(order, after),
    version: order.version + 1,
    updated_at: at,
  };
  const asksForSlot =
    !awaitsSlot(record) &&
    awaitsSlot({
      order: changedOrder,
      rows: changedRows(rows, { entries, transactions, shipments, changes }),
    });
  const checks = new Set(step.checksAt);
  const isSettled = lacksCash(order) && !lacksCash(worth);
  if (follows.set.status === "delivered" || endsPayments || isSettled) checks.add(at);
  return {
    order: changedOrder,
    entries,
    transactions,
    shipments,
    changes,
    stock: step.stock ?? new Map(),
    events: [
      ...(step.events ?? []),
      // One mail for each code, also about several transactions.
      ...Array.from(new Set(raised.map(({ code }) => code)), (code) => ({
        type: "order_attention" as const,
        order_id: order.id,
        code,
        at,
      })),
      ...(asksForSlot ? [{ type: "order_choose_slot" as const, order_id: order.id, at }] : []),
    ],
    checksAt: [...checks],
    invoice: step.invoice ?? null,
  };
}

/** Whether a refund was made since a time, and none is open. */
const isRepeated = (ledger: readonly LedgerRow[], since: Timestamp): boolean => {
  const refunds = ledger.filter(({ type }) => type === "refund");
  return (
    refunds.every(({ state }) => state !== "pending") &&
    refunds.some(({ state, at }) => state === "succeeded" && at >= since)
  );
};

const tooMuch = {
  code: "overpaid",
  message: "More was paid than the order costs.",
} as const;

/** The row of what a step changes in the ledgers. */
function changeRows(record: OrderRecord, step: Step, at: Timestamp): ChangeRow[] {
  const { taken_off = [], came_back = [], paid_back = [], reduced = [], kept = [] } = step;
  const added = (step.added ?? []).map(({ id, quantity }) => ({ id, quantity }));
  const members = { taken_off, came_back, paid_back, reduced, kept, added };
  if (Object.values(members).every((each) => each.length === 0)) return [];
  const { id, version } = record.order;
  const next = version + 1;
  const { changeId = idWithin("chg", id, next, new Date(at)) } = step;
  const row = { id: changeId, version: next, at, ...members };
  return [withCredit(record, row)];
}

/** The order with further lines. */
export const withLines = (
  { order, rows }: OrderRecord,
  lines: readonly OrderItem[],
): OrderRecord => ({ order: { ...order, items: [...order.items, ...lines] }, rows });

/** The step with the confirmation of an unpaid order that a change leaves with nothing to pay. */
function withConfirmation(
  { order, rows }: OrderRecord,
  step: Step,
  changes: readonly ChangeRow[],
): Step {
  const status = step.set?.status ?? order.status;
  if (status !== "pending_payment" || changes.length === 0) return step;
  const { current } = valueOf({ order, rows: { changes: [...rows.changes, ...changes] } });
  const received = receivedIn(withRows(rows.transactions, step.transactions ?? []));
  const owing = { ...order, current, received };
  if (received < amountToConfirm(owing)) return step;
  const confirmation = confirmed(order, received >= current);
  return {
    ...step,
    set: { ...step.set, ...confirmation.set },
    entries: [...(step.entries ?? []), ...confirmation.entries],
    events: [...(step.events ?? []), ...confirmation.events],
  };
}

/** New ledger rows, in which refunds name the change that they pay back. */
function withChange(
  ledger: readonly LedgerRow[],
  rows: readonly LedgerRow[],
  change: ChangeRow | undefined,
): readonly LedgerRow[] {
  if (!change) return rows;
  const known = new Set(ledger.map(({ id }) => id));
  return rows.map((row) =>
    row.type === "refund" && !known.has(row.id) ? { ...row, change_id: change.id } : row,
  );
}

/**
 * The current time, or `last` if that is later: of two concurrent calls, the earlier one may be stored last, and the
 * order's timestamps must never go back.
 */
const notBefore = (last: Timestamp, now: Date): Timestamp => {
  const at = now.toISOString();
  return at > last ? at : last;
};

/** The change with further timeline entries after its own. */
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

/** The order and its rows after the change. */
export function changed({ rows }: OrderRecord, change: OrderChange): OrderRecord {
  return { order: change.order, rows: changedRows(rows, change) };
}

function changedRows(
  rows: OrderRows,
  change: Pick<OrderChange, "entries" | "transactions" | "shipments" | "changes">,
): OrderRows {
  return {
    timeline: [...rows.timeline, ...change.entries],
    transactions: withRows(rows.transactions, change.transactions),
    shipments: withRows(rows.shipments, change.shipments),
    changes: [...rows.changes, ...change.changes],
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

/** The change that `move` makes from the units of each stock row, keyed by the row's id. */
export function eachStock(
  units: ReadonlyMap<string, number>,
  move: (quantity: number) => StockChange,
): OrderChange["stock"] {
  return new Map([...units].map(([id, quantity]) => [id, move(quantity)]));
}
