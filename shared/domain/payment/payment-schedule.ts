import { type ScheduledPart, heldAmount, amountsOfParts, receivedOf } from "./owing.ts";
import { effectOf, type Transaction } from "./payment.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import { type OrderStatus, isUnfulfilled } from "../order/status/order-states.ts";

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

const balanceDue: ReadonlySet<OrderStatus> = new Set([
  "ready_to_dispatch",
  "shipped",
  "delivered",
  "completed",
]);

/**
 * What is paid when. The parts add up to what the order is worth: what lowers its value lowers what changes have added
 * first, then the balance, then the deposit. The received money fills the parts that are due now first, then the others
 * in their sequence.
 */
export function paymentSchedule({
  order,
  rows,
}: Pick<OrderRecord, "order" | "rows">): ScheduledPart[] {
  const { deposit, status } = order;
  const amounts = amountsOfParts(order);
  const received = receivedOf(order);
  const receipts = receiptsOf(rows.transactions);
  const isOver = isUnfulfilled(status);
  const part = (of: Part, before: number): ScheduledPart => {
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
  const later = deposit ? "before_dispatch" : "now";
  const addedDue = inCash ? (order.addition?.due ?? "now") : "now";
  const parts: Part[] = [
    ...(deposit ? [{ code: "deposit", amount: amounts.deposit, due: "now" } as const] : []),
    {
      code: deposit ? "balance" : "full",
      amount: amounts.rest,
      due: inCash ? "on_delivery" : later,
    },
    ...(amounts.added > 0
      ? [{ code: "change", amount: amounts.added, due: addedDue } as const]
      : []),
  ];
  const filled = [...parts.filter(isDueNow), ...parts.filter((each) => !isDueNow(each))];
  const before = (of: Part) =>
    filled.slice(0, filled.indexOf(of)).reduce((sum, { amount }) => sum + amount, 0);
  return parts.map((each) => part(each, before(each)));
}

const isDueNow = ({ due }: Part): boolean => due === "now";

type Part = Pick<ScheduledPart, "code" | "amount" | "due">;

function unpaidState({ status, waiver }: StoredOrder, { code, due }: Part): ScheduledPart["state"] {
  if (code !== "deposit" && waiver) return "waived";
  return due === "now" || balanceDue.has(status) ? "due" : "open";
}

function dueAt({ expires_at, deposit, addition }: StoredOrder, { code, due }: Part): string | null {
  if (due === "on_delivery") return null;
  if (code === "change") return addition?.due_at ?? null;
  return due === "now" ? expires_at : (deposit?.due_at ?? null);
}

/** The time since which the received money has reached an amount; undefined if it does not. */
function paidAt(receipts: readonly Receipt[], amount: number): string | undefined {
  const last = receipts.findLastIndex(({ received }) => received < amount);
  return receipts[last + 1]?.at;
}

/** Whether the order must not leave: money is due that is neither waived nor paid on delivery. */
export const isHeldForBalance = (order: StoredOrder): boolean =>
  order.waiver === null && heldAmount(order) > 0;
