import { type RefundedItem, type Transaction, heldIn, isInEffect, receivedIn } from "../payment.ts";
import type { PaymentMethod } from "../../settings/settings.ts";
import type { OrderRecord } from "../../order/order.ts";
import type { OrderValue } from "../../order/ledger/order-value.ts";
import { surplusOf } from "../owing.ts";
import { type CashRefund, cashRefund } from "../rounding.ts";

/** A refund, before it is allocated to charges. */
interface RefundPlan {
  readonly amount: number;
  readonly items: readonly RefundedItem[];
  readonly reason: string | null;
  /** The reference under which staff have already refunded cash and transfers; null if they have not. */
  readonly reference: string | null;
  /**
   * The method by which staff make the whole refund; null to refund each charge by the method with which it was paid.
   */
  readonly by?: ByHand | null;
}

/** Refund methods that need a person. */
type ByHand = Exclude<PaymentMethod, "gateway">;

/** The amount of a charge that can still be refunded. */
function refundable(of: Transaction, ledger: readonly Transaction[]): number {
  // Refunds, and disputes that were lost.
  const back = ledger.filter((row) => row.charge_id === of.id && isInEffect(row));
  return of.amount - back.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * The ledger rows of a refund. Gateway charges are refunded first, because they need no person; then the remaining
 * charges, the latest first. A gateway refund is pending until the gateway confirms it, a manual one until staff enter
 * a reference.
 *
 * @param newId creates the id of each row; the first row's id identifies the batch
 * @throws RangeError when the amount exceeds what was captured and not refunded
 */
export function refundRows(
  ledger: readonly Transaction[],
  { amount, items, reason, reference, by = null }: RefundPlan,
  { newId, at }: { newId: () => string; at: string },
): Transaction[] {
  if (amount > heldIn(ledger)) throw new RangeError("A refund cannot exceed what was paid");
  const charges = ledger
    .filter(({ type, state }) => type === "charge" && state === "succeeded")
    .toReversed()
    .sort((one, other) => byGatewayFirst(one) - byGatewayFirst(other));
  const rows: Transaction[] = [];
  let open = amount;
  for (const of of charges) {
    const part = Math.min(open, refundable(of, ledger));
    if (part <= 0) continue;
    open -= part;
    const id = newId();
    const method = by ?? of.method;
    const byGateway = method === "gateway";
    rows.push({
      id,
      type: "refund",
      state: byGateway || reference === null ? "pending" : "succeeded",
      amount: part,
      method,
      tender: null,
      provider_ref: byGateway ? null : reference,
      charge_id: of.id,
      // Only the first row lists the units, because they are restocked once, even if several charges paid for them.
      items: rows.length === 0 ? [...items] : [],
      reason,
      received_on: null,
      batch_id: rows[0]?.id ?? id,
      at,
    });
  }
  return rows;
}

/** Whether a refund is paid in cash as a whole. @param by the method that staff chose; null for those of the charges */
export function isRefundedInCash(ledger: readonly Transaction[], by: ByHand | null): boolean {
  const charges = ledger.filter((row) => row.type === "charge" && row.state === "succeeded");
  return by === null ? charges.every(({ tender }) => tender === "cash") : by === "cod";
}

const byGatewayFirst = ({ method }: Transaction) => (method === "gateway" ? 0 : 1);

/** The ledger rows that refund an amount by the methods with which it was paid. Gateway refunds and manual ones are pending. */
export const refundAmount = (
  ledger: readonly Transaction[],
  amount: number,
  reason: string,
  ids: { newId: () => string; at: string },
): Transaction[] => refundRows(ledger, { amount, items: [], reason, reference: null }, ids);

/** Gateway refunds that are not requested or not finished yet. */
export const openGatewayRefunds = <Row extends Transaction>(ledger: readonly Row[]): Row[] =>
  ledger.filter(
    ({ type, state, method }) => type === "refund" && state === "pending" && method === "gateway",
  );

/** Whether the refund waits for staff to make it and enter its reference. */
export const awaitsReference = ({ type, state, method }: Transaction): boolean =>
  type === "refund" && state === "pending" && method !== "gateway";

/** How the surplus of an order is refunded. */
interface SurplusRefund {
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
