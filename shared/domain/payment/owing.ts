import { type PaymentMethod, refundLimits } from "../settings/settings.ts";
import { type OrderStatus, isBeforeDispatch, isUnfulfilled } from "../order/status/order-states.ts";
import * as z from "zod";
import { MoneySum } from "../base/money.ts";
import { NullableTimestamp } from "../base/text.ts";
import { PaymentPartCode } from "../pricing/payment-plans.ts";

/** The members of an order that say what it owes. An order of a release without `current` has all of its goods. */
export interface Owing {
  readonly status: OrderStatus;
  readonly totals: { readonly grand_total: number };
  readonly current?: number | undefined;
  readonly received?: number | undefined;
  readonly disputed?: number;
  readonly paid: number;
  readonly refunded: number;
  readonly deposit: Pick<OrderDeposit, "amount"> | null;
  readonly addition?: Pick<OrderAddition, "amount" | "due"> | null;
}

type OwingBy = Owing & { readonly payment_method: PaymentMethod };

/** What the goods of an order are worth, even if it has expired. A late payment may still confirm it. */
const goodsWorth = ({ current, totals }: Owing): number => current ?? totals.grand_total;

/** What an order is worth now. An expired order is worth nothing. */
export const currentOf = (order: Owing): number =>
  order.status === "expired" ? 0 : goodsWorth(order);

/** The captured money less refunds. */
export const receivedOf = ({ received, paid, refunded }: Owing): number =>
  received ?? paid - refunded;

/** The amount still to be paid. */
export const amountDue = (order: Owing): number =>
  Math.max(0, currentOf(order) - receivedOf(order));

/** Whether an order was delivered for cash that nobody has recorded yet. Such an order does not complete. */
export const lacksCash = (order: OwingBy): boolean =>
  order.payment_method === "cod" && order.status === "delivered" && amountDue(order) > 0;

/** The received money, without what disputes took, beyond what the order is worth. */
export const surplusOf = (order: Owing): number =>
  Math.max(0, receivedOf(order) - (order.disputed ?? 0) - currentOf(order));

/** The received money with which an unpaid order is confirmed: its deposit, or everything. */
export const amountToConfirm = (order: Owing): number =>
  Math.min(order.deposit?.amount ?? Infinity, goodsWorth(order));

/**
 * The amount that the next payment should have: what is missing of the deposit, then what is due now, and from
 * `ready_to_dispatch` on all that is still to be paid.
 */
export function amountToPay(order: OwingBy): number {
  const { status } = order;
  if (status === "pending_payment" || status === "expired") {
    return Math.max(0, amountToConfirm(order) - receivedOf(order));
  }
  const isBalanceLater = status === "confirmed" || status === "in_production";
  const now = order.payment_method !== "cod" && isBalanceLater ? unpaidNow(order) : 0;
  return now > 0 ? now : amountDue(order);
}

/** The amounts of the parts of an order: the deposit, if it has one, what changes have added, and the rest. */
export function amountsOfParts(order: Owing): { deposit: number; added: number; rest: number } {
  const total = currentOf(order);
  const deposit = Math.min(order.deposit?.amount ?? 0, total);
  const added = Math.min(order.addition?.amount ?? 0, total - deposit);
  return { deposit, added, rest: total - deposit - added };
}

/** What is still to be paid of the parts that are due now. Received money fills them before the others. */
export function unpaidNow(order: OwingBy): number {
  const { deposit, added, rest } = amountsOfParts(order);
  const isInCash = order.payment_method === "cod";
  const isRestNow = order.deposit === null && !isInCash;
  const addedNow = order.addition?.due === "now" || !isInCash ? added : 0;
  return Math.max(0, deposit + addedNow + (isRestNow ? rest : 0) - receivedOf(order));
}

/** What has to be paid before the order may leave, unless it is waived. */
export const heldAmount = (order: OwingBy): number => {
  if (order.payment_method !== "cod") return amountDue(order);
  const { added } = amountsOfParts(order);
  return order.addition?.due === "now" ? Math.min(added, unpaidNow(order)) : 0;
};

/**
 * Whether the buyer can make a payment: the first one, the balance of an order that is paid in parts, or what is due
 * again. What is paid on delivery in one amount is not payable.
 */
export const isPayable = (order: OwingBy): boolean =>
  order.status === "pending_payment" ||
  (!isUnfulfilled(order.status) &&
    amountDue(order) > 0 &&
    (order.deposit !== null || order.payment_method !== "cod" || heldAmount(order) > 0));

/**
 * Whether the buyer can pay the balance now. After dispatch, what is paid in cash on delivery cannot be paid otherwise,
 * unless something was added that has to be paid before the rest may leave.
 */
export const mayPayBalance = (order: Parameters<typeof isPayable>[0]): boolean =>
  order.status !== "pending_payment" &&
  isPayable(order) &&
  (order.payment_method !== "cod" || isBeforeDispatch(order.status) || heldAmount(order) > 0);

/** The terms of an order that is paid in parts, as agreed when it was placed. */
export const OrderDeposit = z.object({
  amount: MoneySum,
  refundable_until: z.enum(refundLimits),
  balance_days: z.int(),
  remind_after_days: z.array(z.int()),
  /** Whether its money gets vouchers. */
  has_vouchers: z.boolean().default(false),
  /** When the balance has to be paid; null until the order is `ready_to_dispatch`. */
  due_at: NullableTimestamp,
});
export type OrderDeposit = z.output<typeof OrderDeposit>;

/** What changes have added to an order: a part of its payment schedule. */
export const OrderAddition = z.object({
  amount: MoneySum,
  due: z.enum(["now", "on_delivery"]),
  /** When it has to be paid; null if it is paid on delivery. */
  due_at: NullableTimestamp,
});
export type OrderAddition = z.output<typeof OrderAddition>;

/** A part of what an order costs. */
export const ScheduledPart = z
  .object({
    code: z.enum([...PaymentPartCode.options, "change"]).meta({
      description: "`change`: what staff have added to the order",
    }),
    amount: MoneySum,
    state: z.enum(["open", "due", "paid", "waived"]).meta({
      description:
        "`open`: not due yet, or no longer expected. `waived`: the order may be dispatched, and the money is still owed",
    }),
    due: z.enum(["now", "before_dispatch", "on_delivery"]),
    due_at: NullableTimestamp,
    paid_at: NullableTimestamp,
  })
  .meta({ id: "ScheduledPart" });
export type ScheduledPart = z.output<typeof ScheduledPart>;
