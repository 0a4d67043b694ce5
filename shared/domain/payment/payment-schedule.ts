import type { ScheduledPart } from "./deposit.ts";
import { amountDue, currentOf, effectOf, receivedOf, type Transaction } from "./payment.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import { type OrderStatus, isUnfulfilled } from "../order/order-states.ts";

/** The received money after a row of the ledger. */
interface Receipt {
  readonly at: string;
  readonly received: number;
}

/** The received money after each row of a ledger. */
function receiptsOf(ledger: readonly Transaction[]): Receipt[] {
  let received = 0;
  return ledger
    .toSorted((one, other) => (one.at + one.type < other.at + other.type ? -1 : 1))
    .map((row) => {
      received += effectOf(row);
      return { at: row.at, received };
    });
}

/** Statuses from which the balance is due. */
const balanceDue: ReadonlySet<OrderStatus> = new Set([
  "ready_to_dispatch",
  "shipped",
  "delivered",
  "completed",
]);

/**
 * What is paid when. The parts add up to what the order is worth: what lowers its value lowers the balance first, then
 * the deposit. The received money fills the parts in their sequence.
 */
export function paymentSchedule({
  order,
  rows,
}: Pick<OrderRecord, "order" | "rows">): ScheduledPart[] {
  const { deposit, status } = order;
  const total = currentOf(order);
  const received = receivedOf(order);
  const receipts = receiptsOf(rows.transactions);
  const isOver = isUnfulfilled(status);
  const part = (
    of: Pick<ScheduledPart, "code" | "amount" | "due">,
    before: number,
  ): ScheduledPart => {
    // Of an order that has ended, the parts that are no longer expected are worth nothing.
    const isPaid = received >= before + of.amount && !(isOver && of.amount === 0);
    const state = isPaid ? "paid" : isOver ? "open" : unpaidState(order, of);
    return {
      ...of,
      state,
      due_at: isPaid || isOver ? null : dueAt(order, of),
      paid_at: isPaid ? (paidAt(receipts, before + of.amount) ?? order.placed_at) : null,
    };
  };
  const inCash = order.payment_method === "cod";
  if (!deposit)
    return [part({ code: "full", amount: total, due: inCash ? "on_delivery" : "now" }, 0)];
  const amount = Math.min(deposit.amount, total);
  const due = inCash ? "on_delivery" : "before_dispatch";
  return [
    part({ code: "deposit", amount, due: "now" }, 0),
    part({ code: "balance", amount: total - amount, due }, amount),
  ];
}

type Part = Pick<ScheduledPart, "code" | "due">;

function unpaidState({ status, waiver }: StoredOrder, { code, due }: Part): ScheduledPart["state"] {
  if (code !== "deposit" && waiver) return "waived";
  return due === "now" || balanceDue.has(status) ? "due" : "open";
}

function dueAt({ expires_at, deposit }: StoredOrder, { due }: Part): string | null {
  if (due === "on_delivery") return null;
  return due === "now" ? expires_at : (deposit?.due_at ?? null);
}

/** The time since which the received money has reached an amount; undefined if it does not. */
function paidAt(receipts: readonly Receipt[], amount: number): string | undefined {
  const last = receipts.findLastIndex(({ received }) => received < amount);
  return receipts[last + 1]?.at;
}

/** Whether the order must not leave: money is due that is neither waived nor paid in cash on delivery. */
export const isHeldForBalance = (order: StoredOrder): boolean =>
  order.waiver === null && order.payment_method !== "cod" && amountDue(order) > 0;
