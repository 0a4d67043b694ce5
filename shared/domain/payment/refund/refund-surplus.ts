import type { OrderRecord } from "../../order/order.ts";
import type { OrderValue } from "../../order/ledger/order-value.ts";
import { surplusOf } from "../owing.ts";
import { type Transaction, heldIn, receivedIn } from "../payment.ts";
import { type CashRefund, cashRefund } from "../rounding.ts";
import { type ByHand, isRefundedInCash, refundRows } from "./refunds.ts";

/** How the surplus of an order is refunded. */
export interface SurplusRefund {
  readonly refunds: Transaction[];
  /** Set if the refund is made in cash, which rounds the order. */
  readonly inCash: CashRefund | null;
}

/**
 * Refunds what was received beyond the value that an order has after a change.
 *
 * @param after the order's value then
 * @param plan.atMost the most that is refunded; null for all of it. Less than all of it is not rounded for cash
 */
export function refundSurplus(
  { order, rows }: OrderRecord,
  { current, goods }: Pick<OrderValue, "current" | "goods">,
  plan: {
    readonly atMost: number | null;
    readonly items: readonly { readonly id: string; readonly quantity: number }[];
    readonly reason: string;
    readonly reference: string | null;
    readonly by: ByHand | null;
  },
  ids: { readonly newId: () => string; readonly at: string },
): SurplusRefund {
  const { atMost, ...how } = plan;
  const surplus = surplusOf({ ...order, current, received: receivedIn(rows.transactions) });
  const isAll = atMost === null || atMost >= surplus;
  const isInCash = isAll && surplus > 0 && isRefundedInCash(rows.transactions, plan.by);
  const inCash = isInCash
    ? cashRefund(order, { goods, received: heldIn(rows.transactions) })
    : null;
  const amount = inCash?.amount ?? Math.min(surplus, atMost ?? surplus);
  return { refunds: refundRows(rows.transactions, { ...how, amount }, ids), inCash };
}
