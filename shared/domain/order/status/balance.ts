import * as z from "zod";
import { MultilineText, type Timestamp } from "../../base/text.ts";
import { type OrderDeposit, amountDue, unpaidNow } from "../../payment/owing.ts";
import { isUnfulfilled } from "./order-states.ts";
import { isHeldForBalance, paymentSchedule } from "../../payment/payment-schedule.ts";
import { changeOf } from "../order-change.ts";
import type { OrderChange, Step, StaffStep } from "../order-step.ts";
import type { OrderRecord, StoredOrder } from "../order.ts";

const dayMs = 86_400_000;
const daysAfter = (from: Timestamp, days: number): Timestamp =>
  new Date(Date.parse(from) + days * dayMs).toISOString();

/**
 * The step of an order that becomes ready to dispatch. If its balance is not paid, the balance is due from now on: the
 * buyer gets a mail, and reminders follow.
 */
export function becomesReady(order: StoredOrder, now: Date): Step {
  const { id, deposit } = order;
  if (!deposit || amountDue(order) === 0) return {};
  const at = now.toISOString();
  const due = { ...deposit, due_at: daysAfter(at, deposit.balance_days) };
  const isHeld = isHeldForBalance(order);
  return {
    set: { status: "ready_to_dispatch", deposit: due },
    events: isHeld ? [{ type: "order_balance_due", order_id: id, at }] : [],
    checksAt: checkTimes(due).slice(0, 1),
  };
}

/** When the buyer is reminded of a balance. */
function reminderTimes({ due_at, balance_days, remind_after_days }: OrderDeposit): Timestamp[] {
  if (due_at === null) return [];
  const since = daysAfter(due_at, -balance_days);
  return remind_after_days.map((days) => daysAfter(since, days)).toSorted();
}

const checkTimes = (deposit: OrderDeposit): Timestamp[] =>
  [...reminderTimes(deposit), ...(deposit.due_at === null ? [] : [deposit.due_at])].toSorted();

const isAwaited = ({ order }: OrderRecord): boolean =>
  order.status === "ready_to_dispatch" && isHeldForBalance(order);

/** When the buyer is reminded of money that the order waits for, and when it is overdue. */
function awaitedTimes(record: OrderRecord): { reminders: Timestamp[]; ends: Timestamp[] } {
  const { status, deposit, addition, waiver } = record.order;
  const balance = deposit?.due_at && isAwaited(record) ? deposit : null;
  const isAdditionAwaited =
    status !== "pending_payment" &&
    !isUnfulfilled(status) &&
    waiver === null &&
    addition !== null &&
    unpaidNow(record.order) > 0;
  const ends = [balance?.due_at, isAdditionAwaited ? addition.due_at : null];
  return {
    reminders: balance ? reminderTimes(balance) : [],
    ends: ends.filter((time) => typeof time === "string").toSorted(),
  };
}

/** The latest past time of a list; undefined if it was handled, which a timeline entry of the type shows. */
function unhandled(
  { rows }: OrderRecord,
  type: string,
  times: readonly Timestamp[],
  at: Timestamp,
): Timestamp | undefined {
  const last = times.findLast((time) => time <= at);
  const isHandled = rows.timeline.some((entry) => entry.type === type && entry.at >= (last ?? at));
  return isHandled ? undefined : last;
}

/**
 * Reminds the buyer of a due balance, and flags it, and what was added, for staff when it is overdue. Several reminders
 * whose time has passed are sent as one. Returns undefined if nothing is to be done.
 */
export function followBalance(record: OrderRecord, now: Date): OrderChange | undefined {
  const { id } = record.order;
  const { reminders, ends } = awaitedTimes(record);
  const at = now.toISOString();
  const reminds = unhandled(record, "balance_reminder", reminders, at) !== undefined;
  const isOverdue = unhandled(record, "balance_overdue", ends, at) !== undefined;
  if (!reminds && !isOverdue) return undefined;
  return changeOf(
    record,
    {
      entries: [...(reminds ? [reminded] : []), ...(isOverdue ? [overdue] : [])],
      events: reminds ? [{ type: "order_balance_reminder", order_id: id, at }] : [],
      attention: isOverdue ? [{ code: "balance_overdue", message: overdue.message }] : [],
    },
    now,
  );
}

const reminded = {
  type: "balance_reminder",
  message: "We have reminded you of the balance.",
  public: true,
} as const;

const overdue = {
  type: "balance_overdue",
  message: "The balance was not paid in time. The order waits for it.",
  public: false,
} as const;

/** When the balance, or what was added, is followed up next; null if nothing is planned. */
export function nextBalanceCheck(record: OrderRecord, now: Date): Timestamp | null {
  const { reminders, ends } = awaitedTimes(record);
  const at = now.toISOString();
  return [...reminders, ...ends].toSorted().find((time) => time > at) ?? null;
}

/** `PATCH /admin/orders/{id}/payment-schedule/{code}`. */
export const PartPatch = z.strictObject({
  state: z.literal("waived"),
  reason: MultilineText(500).meta({ description: "Visible to staff only" }),
});
export type PartPatch = z.output<typeof PartPatch>;

/** Waives a balance: the order may leave before it is paid, and the money is still owed. */
export function waivePart(record: OrderRecord, code: string, reason: string, now: Date): StaffStep {
  const { payment_method, status } = record.order;
  const part = paymentSchedule(record).find((each) => each.code === code);
  if (!part) return { kind: "unknown" };
  const { state: from } = part;
  if (from === "waived") return { kind: "already" };
  const refused = (message: string) => ({ kind: "refused", from, message }) as const;
  if (code === "deposit") return refused("Only a balance can be waived.");
  if (from === "paid") return refused("This part is already paid.");
  if (code === "full" && payment_method === "cod") return refused("This part is paid on delivery.");
  if (!waivable.has(status)) return refused("In its current state the order expects no balance.");
  const at = now.toISOString();
  return {
    kind: "changed",
    change: changeOf(
      record,
      {
        set: { waiver: { reason, at } },
        entries: [
          {
            type: "balance_waived",
            message: `The order may be dispatched before its balance is paid. ${reason}`,
            public: false,
          },
        ],
      },
      now,
    ),
  };
}

const waivable: ReadonlySet<string> = new Set([
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
]);
