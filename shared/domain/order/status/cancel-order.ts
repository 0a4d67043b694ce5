import { changeOf, eachStock } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import type { OrderRecord, RaisedFlag } from "../order.ts";
import { unsentByStock } from "../ledger/order-units.ts";
import { keptOf, valueOf } from "../ledger/order-value.ts";
import { allUnsent, withoutUnits } from "../change/take-off.ts";
import { type OrderStatus, allowedTransitions, canMove, orderMachine } from "./order-states.ts";
import { type LedgerRow, heldIn } from "../../payment/payment.ts";
import { refundAmount } from "../../payment/refund/refunds.ts";
import { roundedBy } from "../../payment/rounding.ts";
import { refundLimits } from "../../settings/settings.ts";
import { release } from "../../catalog/stock.ts";

export type Canceller = "customer" | "staff";

/** Statuses in which a customer may cancel. Later, production or packing has begun. */
const customersOwn: ReadonlySet<OrderStatus> = new Set(["pending_payment", "confirmed"]);

/** The statuses before the one that ends the full refund of a deposit. */
const refundable = (until: (typeof refundLimits)[number]): ReadonlySet<OrderStatus> =>
  new Set(["pending_payment", ...refundLimits.slice(0, refundLimits.indexOf(until))]);

/** Whether a customer may cancel: packing has not begun, and everything that was paid is refunded. */
const isCustomers = ({ order, rows }: OrderRecord): boolean => {
  const { status, deposit } = order;
  const own = deposit ? refundable(deposit.refundable_until) : customersOwn;
  return (
    own.has(status) &&
    rows.shipments.every(({ status: of }) => of === "pending" || of === "cancelled")
  );
};

/** Whether the canceller may cancel the order now. */
export const mayCancel = (record: OrderRecord, by: Canceller): boolean =>
  (by === "staff" || isCustomers(record)) &&
  canMove(orderMachine, record.order.status, "cancelled");

export type Cancellation =
  /** The order is already cancelled: a repeat changes nothing. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly OrderStatus[] }
  | { readonly kind: "cancelled"; readonly change: OrderChange };

/** The inputs of a step besides the order. */
export interface StepContext {
  readonly now: Date;
  /** Creates the id of a ledger row. */
  newTransactionId(): string;
}

/** Who wants an order cancelled by staff, and the part of its deposit that the shop keeps. */
export interface CancellationTerms {
  readonly requested_by: "shop" | "buyer";
  readonly keep_amount: number;
}

/**
 * Cancels an order, if its status allows the canceller to do so. Its stock is released. Captured money is refunded
 * except for the amount to keep: gateway payments at the next scheduled check, cash and bank transfers once staff have
 * paid the money back.
 *
 * @param terms of a cancellation by staff; `keep_amount` is at most what `mostToKeep` returns
 */
export function cancelOrder(
  record: OrderRecord,
  by: Canceller,
  { now, newTransactionId }: StepContext,
  terms: CancellationTerms = { requested_by: "shop", keep_amount: 0 },
): Cancellation {
  const { order, rows } = record;
  if (order.status === "cancelled") return { kind: "already" };
  if (!mayCancel(record, by)) {
    const allowed = allowedTransitions(orderMachine, order.status);
    return { kind: "refused", allowed: by === "staff" ? allowed : [] };
  }
  const at = now.toISOString();
  const { keep_amount } = terms;
  const refunds = refundAmount(
    rows.transactions,
    Math.max(0, heldIn(rows.transactions) - keep_amount),
    "The order was cancelled",
    { newId: newTransactionId, at },
  );
  const byBuyer = by === "customer" || terms.requested_by === "buyer";
  const change = changeOf(
    record,
    {
      set: {
        status: "cancelled",
        expires_at: null,
        slot: null,
        ...roundedBy(0),
      },
      entries: [
        {
          type: "cancelled",
          message: sentence(byBuyer, refunds.length > 0, keep_amount > 0),
          public: true,
        },
      ],
      transactions: refunds,
      ...withoutUnits(record, allUnsent(record)),
      kept: keptOf(keep_amount, linesOf(record)),
      stock: eachStock(unsentByStock(record), release),
      events: [{ type: "order_cancelled", order_id: order.id }],
      // The check at once makes gateway refunds, and cancels an open gateway payment.
      checksAt: [at],
      attention: owedByHand(refunds),
    },
    now,
  );
  return { kind: "cancelled", change };
}

const linesOf = (record: OrderRecord) =>
  Array.from(valueOf(record).lines, ([id, { amount }]) => ({ id, amount }));

/** The attention flags of an ended order whose payment staff have to refund by hand. */
export const owedByHand = (refunds: readonly LedgerRow[]): RaisedFlag[] =>
  refunds
    .filter(({ method }) => method !== "gateway")
    .map(({ id: about }) => ({
      code: "refund_to_make",
      message: "The cash or transfer payment must be refunded manually.",
      about,
    }));

/** The largest part of an order's money that the shop can keep: its deposit, as far as it is captured. */
export const mostToKeep = ({ order, rows }: OrderRecord): number =>
  Math.min(order.deposit?.amount ?? 0, heldIn(rows.transactions));

function sentence(byBuyer: boolean, refunded: boolean, retained: boolean): string {
  const who = byBuyer ? "The order was cancelled as you asked." : "We have cancelled the order.";
  if (retained) {
    const kept = `${who} We keep the agreed part of your deposit.`;
    return refunded ? `${kept} We will refund the rest of what you have paid.` : kept;
  }
  return refunded ? `${who} We will refund what you have paid.` : who;
}
