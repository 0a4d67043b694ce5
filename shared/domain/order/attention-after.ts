import type { Timestamp } from "../base/text.ts";
import { isHeldForBalance } from "../payment/payment-schedule.ts";
import { amountDue, surplusOf } from "../payment/owing.ts";
import type { LedgerRow, PaymentStatus } from "../payment/payment.ts";
import { awaitsReference } from "../payment/refund/refunds.ts";
import {
  type Attention,
  type OrderRecord,
  type RaisedFlag,
  type StoredOrder,
  flagId,
} from "./order.ts";
import { type OrderReturn, awaitedRefunds } from "./returns/order-return.ts";
import { isUnfulfilled } from "./status/order-states.ts";

/**
 * The attention flags that stay after a step, and those that it raises: the step's own, or that more was paid than the
 * order costs.
 *
 * @param after the order after the step, with its flags of before
 */
export function attentionAfter(
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
