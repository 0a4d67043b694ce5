import type { OrderDeposit, ScheduledPart } from "./deposit.ts";
import { amountDue, type Transaction } from "./payment.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import { type OrderStatus, isUnfulfilled } from "../order/order-states.ts";

/** The captured money after a ledger row that counts towards the order's total. */
interface Settlement {
  readonly at: string;
  readonly settled: number;
  /** The refunded money that the buyer does not have to pay again. */
  readonly credited: number;
}

/**
 * The money that counts towards the total after each row of a ledger. A refund of units, and a refund after the total
 * was paid, lower the price: the buyer does not pay that money again. Any other refund has to be paid again.
 */
export function settlements(ledger: readonly Transaction[], total: number): Settlement[] {
  const ofUnits = new Set(
    ledger.filter(({ items }) => items.length > 0).map(({ id, batch_id }) => batch_id ?? id),
  );
  let [kept, credited] = [0, 0];
  return ledger
    .filter(({ state }) => state === "succeeded")
    .toSorted((one, other) => (one.at + one.type < other.at + other.type ? -1 : 1))
    .map(({ id, type, amount, batch_id, at }) => {
      if (type === "charge") kept += amount;
      else {
        const surplus = Math.max(0, kept + credited - total);
        const isCredit = kept + credited >= total || ofUnits.has(batch_id ?? id);
        if (isCredit) credited += Math.max(0, amount - surplus);
        kept -= amount;
      }
      return { at, settled: kept + credited, credited };
    });
}

/** The deposit's terms with the credited money of the ledger. */
export const withCredit = (
  deposit: OrderDeposit,
  ledger: readonly Transaction[],
  total: number,
): OrderDeposit => ({ ...deposit, credited: settlements(ledger, total).at(-1)?.credited ?? 0 });

/** Statuses from which the balance is due. */
const balanceDue: ReadonlySet<OrderStatus> = new Set([
  "ready_to_dispatch",
  "shipped",
  "delivered",
  "completed",
]);

/**
 * What is paid when, derived from the ledger. Captured money, less what was refunded, fills the parts in their
 * sequence.
 */
export function paymentSchedule({
  order,
  rows,
}: Pick<OrderRecord, "order" | "rows">): ScheduledPart[] {
  const { deposit, totals, status } = order;
  const total = totals.grand_total;
  const steps = settlements(rows.transactions, total);
  const isOver = isUnfulfilled(status);
  // An order that has ended expects no money: only what the shop keeps counts.
  const settled = isOver ? order.paid - order.refunded : total - amountDue(order);
  const part = (
    of: Pick<ScheduledPart, "code" | "amount" | "due">,
    before: number,
  ): ScheduledPart => {
    const isPaid = settled >= before + of.amount;
    const state = isPaid ? "paid" : isOver ? "open" : unpaidState(order, of);
    return {
      ...of,
      state,
      due_at: isPaid || isOver ? null : dueAt(order, of),
      paid_at: isPaid ? (paidAt(steps, before + of.amount) ?? order.placed_at) : null,
    };
  };
  const inCash = order.payment_method === "cod";
  if (!deposit)
    return [part({ code: "full", amount: total, due: inCash ? "on_delivery" : "now" }, 0)];
  const { amount } = deposit;
  const due = inCash ? "on_delivery" : "before_dispatch";
  return [
    part({ code: "deposit", amount, due: "now" }, 0),
    part({ code: "balance", amount: total - amount, due }, amount),
  ];
}

type Part = Pick<ScheduledPart, "code" | "due">;

function unpaidState(
  { status, deposit }: StoredOrder,
  { code, due }: Part,
): ScheduledPart["state"] {
  if (code === "balance" && deposit?.waiver) return "waived";
  return due === "now" || balanceDue.has(status) ? "due" : "open";
}

function dueAt({ expires_at, deposit }: StoredOrder, { due }: Part): string | null {
  if (due === "on_delivery") return null;
  return due === "now" ? expires_at : (deposit?.due_at ?? null);
}

/** The time since which the settled money has reached an amount; undefined if it does not. */
function paidAt(steps: readonly Settlement[], amount: number): string | undefined {
  const last = steps.findLastIndex(({ settled }) => settled < amount);
  return steps[last + 1]?.at;
}

/** Whether the order must not leave: its balance is neither paid nor waived, and is not paid in cash on delivery. */
export const isHeldForBalance = (order: StoredOrder): boolean =>
  order.deposit !== null &&
  order.deposit.waiver === null &&
  order.payment_method !== "cod" &&
  amountDue(order) > 0;
