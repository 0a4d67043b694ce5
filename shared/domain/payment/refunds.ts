import type { OrderRecord } from "../order/order.ts";
import { type RefundedItem, type Transaction, refundDue } from "./payment.ts";
import type { PaymentMethod } from "../settings/settings.ts";

/** A refund to be made, before it is spread over the charges. */
export interface RefundPlan {
  readonly amount: number;
  readonly items: readonly RefundedItem[];
  readonly reason: string | null;
  /** Staff have given cash and transfers back already, under this reference. */
  readonly reference: string | null;
  /** How staff give it back, whatever it was paid by; null: each part as it was paid. */
  readonly by?: ByHand | null;
}

/** Ways to give money back that need a person. */
export type ByHand = Exclude<PaymentMethod, "gateway">;

/** What of a charge can still be given back. */
function left(of: Transaction, ledger: readonly Transaction[]): number {
  const back = ledger.filter(({ charge_id, state }) => charge_id === of.id && state !== "failed");
  return of.amount - back.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * The ledger rows of a refund: the gateway's charges give first, because they give by themselves, then the latest
 * of the others. A gateway's refund is pending until it says so, a cash one until staff have a reference for it.
 *
 * @param newId for each row; the first names all of them
 * @throws RangeError when more is asked for than was captured and not given back
 */
export function refundRows(
  ledger: readonly Transaction[],
  { amount, items, reason, reference, by = null }: RefundPlan,
  { newId, at }: { newId: () => string; at: string },
): Transaction[] {
  if (amount > refundDue(ledger)) throw new RangeError("More than was paid cannot be given back");
  const charges = ledger
    .filter(({ type, state }) => type === "charge" && state === "succeeded")
    .toReversed()
    .sort((one, other) => byGatewayFirst(one) - byGatewayFirst(other));
  const rows: Transaction[] = [];
  let open = amount;
  for (const of of charges) {
    const part = Math.min(open, left(of, ledger));
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
      provider_ref: byGateway ? null : reference,
      charge_id: of.id,
      // Goods go back once, however many charges paid for them.
      items: rows.length === 0 ? [...items] : [],
      reason,
      received_on: null,
      batch_id: rows[0]?.id ?? id,
      at,
    });
  }
  return rows;
}

const byGatewayFirst = ({ method }: Transaction) => (method === "gateway" ? 0 : 1);

/** Everything that was captured and is neither given back nor about to be, as refunds. */
export function refundAll(
  { rows: { transactions } }: OrderRecord,
  reason: string,
  ids: { newId: () => string; at: string },
): Transaction[] {
  const amount = refundDue(transactions);
  return refundRows(transactions, { amount, items: [], reason, reference: null }, ids);
}

/** Refunds that the gateway has still to be asked for, or about. */
export const openGatewayRefunds = (ledger: readonly Transaction[]): Transaction[] =>
  ledger.filter(
    ({ type, state, method }) => type === "refund" && state === "pending" && method === "gateway",
  );

/** Whether it is a refund that waits for staff to make it, and to say under which reference. */
export const awaitsReference = ({ type, state, method }: Transaction): boolean =>
  type === "refund" && state === "pending" && method !== "gateway";
