import type { Timestamp } from "../base/text.ts";
import { isHeldForBalance } from "../payment/payment-schedule.ts";
import { amountDue, surplusOf, amountToConfirm, currentOf, lacksCash } from "../payment/owing.ts";
import {
  type LedgerRow,
  type PaymentStatus,
  disputedIn,
  moneyMoved,
  openCharges,
  paymentStatus,
  receivedIn,
} from "../payment/payment.ts";
import { awaitsReference } from "../payment/refund/refunds.ts";
import {
  type Attention,
  type OrderRecord,
  type RaisedFlag,
  type StoredOrder,
  flagId,
  placedBefore,
  type TimelineEntry,
} from "./order.ts";
import { type OrderReturn, awaitedRefunds } from "./returns/order-return.ts";
import { isUnfulfilled, canMove, orderMachine } from "./status/order-states.ts";
import { idWithin } from "../base/ids.ts";
import type { OutboxEvent } from "../base/outbox-event.ts";
import type { StockChange } from "../catalog/stock.ts";
import { additionAfter } from "../payment/addition.ts";
import { changedRows, withLines, withRows, type OrderChange, type Step } from "./order-step.ts";
import { awaitsSlot, isConfirmedLate, slotIsFree } from "./edit/slot-choice.ts";
import { roundingAfterCredit, withCredit } from "./invoice/credit-supply.ts";
import { withAdvances } from "./invoice/vouchers.ts";
import { ChangeLetter, type ChangeRow } from "./ledger/change-row.ts";
import { valueOf } from "./ledger/order-value.ts";
import { confirmed, following } from "./status/confirm-order.ts";

/**
 * The attention flags that stay after a step, and those that it raises: the step's own, or that more was paid than the
 * order costs.
 *
 * @param after the order after the step, with its flags of before
 */
function attentionAfter(
  before: Pick<OrderRecord, "order" | "rows">,
  after: StoredOrder,
  {
    ledger,
    payment_status,
    attention,
    returns,
    at,
  }: {
    readonly ledger: readonly LedgerRow[];
    readonly payment_status: PaymentStatus;
    readonly returns: readonly OrderReturn[];
    readonly attention: readonly RaisedFlag[];
    readonly at: Timestamp;
  },
): { readonly flags: Attention[]; readonly raised: Attention[] } {
  const isNew =
    isOverpaid({ ...after, payment_status }, returns) &&
    !after.attention.some(({ code }) => code === "overpaid");
  const isToFlag =
    isNew && !isOverpaid(before.order, before.rows.returns) && attention.length === 0;
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
    if (code === "cash_missing") return amountDue(after) > 0;
    if (code === "overpaid") return payment_status === "overpaid";
    if (code === "refund_failed") return surplusOf(after) > 0 || !isRepeated(ledger, since);
    return code !== "balance_overdue" || (!isUnfulfilled(after.status) && isHeldForBalance(after));
  });
  return { flags, raised };
}

/** Whether more was paid than the order costs, beyond what its returns are about to refund. */
const isOverpaid = (order: StoredOrder, returns: readonly OrderReturn[]): boolean =>
  order.payment_status === "overpaid" && surplusOf(order) > awaitedRefunds(returns);

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

/**
 * The change that a step makes. What the order is worth, the received money, the payment status, credits, and the
 * statuses that follow from where the units and the money are, are computed here and nowhere else. A slot whose order is
 * confirmed too late, has no more units to send, or has others to send than those that arrived in it, is taken from it
 * here. A waiver ends here when something is added that must be paid now.
 *
 * @throws TypeError when `orderMachine` does not contain the status change
 */
export function changeOf(record: OrderRecord, made: Step, now: Date): OrderChange {
  const { order, rows } = record;
  const at = notBefore(order.updated_at, now);
  const grown = withLines(record, made.added ?? []);
  const { changes, ...rounded } = changeRows(grown, made, at);
  const step = withConfirmation(grown, { ...made, set: { ...made.set, ...rounded } }, changes);
  const { set = {}, attention = [], shipments = [], returns = [] } = step;
  if (set.status && set.status !== order.status && !canMove(orderMachine, order.status, set.status))
    throw new TypeError(`An order cannot change from ${order.status} to ${set.status}`);
  const withUnits: OrderRecord = {
    order: { ...grown.order, ...set },
    rows: changedRows(rows, { entries: [], transactions: [], shipments, changes, returns }),
  };
  const { current, rounding, goods } = valueOf(withUnits);
  const by = goods - valueOf(record).goods;
  const follows = following(withUnits, at);
  const next = { ...withUnits.order, ...follows.set };
  const isLate = isConfirmedLate(order, next, at);
  const endsWaiver = next.waiver !== null && by > 0 && made.additionTerms?.due !== "on_delivery";
  const after = {
    ...next,
    ...(isLate && { slot: null }),
    ...(endsWaiver && { waiver: null }),
  };
  const booked = withChange(rows.transactions, step.transactions ?? [], changes[0]);
  const transactions = withAdvances(record, after.status, booked);
  const entries = [
    ...(step.entries ?? []),
    ...follows.entries,
    ...(isLate ? [slotIsFree] : []),
    ...(endsWaiver ? [waiverEnded] : []),
  ].map((entry) => ({ ...entry, at }));
  const ledger = withRows(rows.transactions, transactions);
  const owing = {
    ...after,
    ...moneyMoved(ledger),
    received: receivedIn(ledger),
    disputed: disputedIn(ledger),
  };
  const addition = additionAfter(order.addition, by, made.additionTerms);
  const rounding_paid = goods === 0 ? 0 : Math.max(-goods, after.rounding_paid);
  const worth = { ...owing, current, rounding, rounding_paid, addition };
  const payment_status = paymentStatus(ledger, {
    method: after.payment_method,
    current: currentOf(worth),
    status: after.status,
  });
  // The check cancels gateway payments whose amount is no longer what is due.
  const endsPayments = changes.length > 0 && openCharges(ledger).length > 0;
  const { flags, raised } = attentionAfter(record, worth, {
    ledger,
    payment_status,
    attention,
    returns: withUnits.rows.returns,
    at,
  });
  const changedOrder: StoredOrder = {
    ...worth,
    payment_status,
    attention: [...flags, ...raised],
    placed: placedBefore(order, after),
    version: order.version + 1,
    updated_at: at,
  };
  const isAskedInLetter =
    step.shipping !== undefined && step.events?.some(({ type }) => type === "order_changed");
  const asksForSlot =
    !isAskedInLetter &&
    !awaitsSlot(record) &&
    awaitsSlot({
      order: changedOrder,
      rows: changedRows(rows, { entries, transactions, shipments, changes, returns }),
    });
  const events: OutboxEvent[] = [
    ...(step.events ?? []),
    // One mail for each code, also about several transactions.
    ...Array.from(new Set(raised.map(({ code }) => code)), (code) => ({
      type: "order_attention" as const,
      order_id: order.id,
      code,
      at,
    })),
    ...(asksForSlot ? [{ type: "order_choose_slot" as const, order_id: order.id, at }] : []),
  ];
  const letters = ChangeLetter.options.filter((letter) =>
    events.some(({ type }) => type === letter),
  );
  const checks = new Set(step.checksAt);
  const isSettled = lacksCash(order) && !lacksCash(worth);
  if (follows.set.status === "delivered" || endsPayments || isSettled) checks.add(at);
  return {
    order: changedOrder,
    entries,
    transactions,
    shipments,
    changes: letters.length > 0 ? changes.map((row) => ({ ...row, letters })) : changes,
    returns,
    stock: step.stock ?? new Map(),
    events,
    checksAt: [...checks],
    invoice: step.invoice ?? null,
  };
}

const waiverEnded = {
  type: "waiver_ended",
  message: "What was added must be paid before the order may be dispatched, or waived anew.",
  public: false,
} as const;

/**
 * The row of what a step changes in the ledgers, and the order's rounding after it.
 *
 * @param record with the lines that the step adds
 */
function changeRows(
  record: OrderRecord,
  step: Step,
  at: Timestamp,
): { readonly changes: ChangeRow[]; readonly rounding: number } {
  const {
    taken_off = [],
    came_back = [],
    paid_back = [],
    reduced = [],
    kept = [],
    shipping,
  } = step;
  const added = (step.added ?? []).map(({ id, quantity }) => ({ id, quantity }));
  const members = { taken_off, came_back, paid_back, reduced, kept, added };
  const before = step.set?.rounding ?? record.order.rounding;
  const isEmpty = Object.values(members).every((each) => each.length === 0);
  if (isEmpty && !shipping) return { changes: [], rounding: before };
  const { id, version } = record.order;
  const next = version + 1;
  const { changeId = idWithin("chg", id, next, new Date(at)) } = step;
  const row = { id: changeId, version: next, at, ...members, ...(shipping && { shipping }) };
  const received = receivedIn(withRows(record.rows.transactions, step.transactions ?? []));
  const rounding = step.set?.rounding ?? roundingAfterCredit(record, row, received);
  return { changes: [withCredit(record, row, rounding)], rounding };
}

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

/** The change that `move` makes from the units of each stock row, keyed by the row's id. */
export function eachStock(
  units: ReadonlyMap<string, number>,
  move: (quantity: number) => StockChange,
): OrderChange["stock"] {
  return new Map([...units].map(([id, quantity]) => [id, move(quantity)]));
}
