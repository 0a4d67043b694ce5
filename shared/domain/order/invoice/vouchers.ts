import { type LedgerRow, moneyMoved } from "../../payment/payment.ts";
import { type OrderStatus, isUnfulfilled } from "../status/order-states.ts";
import { isInvoiced } from "./credit-supply.ts";
import type { OrderRecord } from "../order.ts";

export type VoucherType = "receipt_voucher" | "refund_voucher";

/** What a voucher is about: a deposit that was received, or what was refunded of it without an invoice. */
export interface Advance {
  /** Id of the ledger row. */
  readonly id: string;
  readonly type: VoucherType;
  /** In minor units, including tax. */
  readonly amount: number;
}

/** Everything about which an order has a voucher, or will have one; the receipt first. */
export const advancesOf = ({ rows }: Pick<OrderRecord, "rows">): Advance[] =>
  rows.transactions
    .flatMap(({ id, type, advance, returned_advance }): Advance[] => [
      ...(advance === undefined
        ? []
        : [
            {
              id,
              type: type === "charge" ? ("receipt_voucher" as const) : ("refund_voucher" as const),
              amount: advance,
            },
          ]),
      ...(returned_advance === undefined
        ? []
        : [{ id: voidVoucherId(id), type: "refund_voucher" as const, amount: returned_advance }]),
    ])
    .toSorted((one, other) => one.type.localeCompare(other.type));

/** Id of the voucher about a voided charge. */
export const voidVoucherId = (chargeId: string): string => `${chargeId}_void`;

const beforeConfirmed: ReadonlySet<OrderStatus> = new Set(["pending_payment", "expired"]);

/**
 * Marks the new ledger rows that need a voucher with its amount. The charge that confirms the order gets the whole
 * deposit. Once the order has ended without an invoice, a refund gets what the shop no longer holds of the deposit. A
 * refund that repeats a failed one gets nothing. A voided charge gets what the shop no longer holds of the deposit, and
 * the charge that then replaces it gets a receipt of its own.
 *
 * @param record before the rows are added
 * @param status of the order after the rows are added
 * @param added may get a further row: the last refund of an order that ends after its refunds
 */
export function withAdvances(
  record: OrderRecord,
  status: OrderStatus,
  added: readonly LedgerRow[],
): readonly LedgerRow[] {
  const { deposit, status: before } = record.order;
  if (!deposit?.has_vouchers) return added;
  if (status === "confirmed" && beforeConfirmed.has(before)) {
    return marked(added, lastOf(added, "charge"), deposit.amount);
  }
  const ids = new Set(added.map(({ id }) => id));
  const ledger = [...record.rows.transactions.filter(({ id }) => !ids.has(id)), ...added];
  const { paid, refunded } = moneyMoved(ledger);
  const received = advanceIn(ledger, "charge");
  const returnedBefore = advanceIn(ledger, "refund");
  const held = Math.max(0, paid - refunded);
  const returned = received - Math.min(received, held) - returnedBefore;
  const voided = added.find(({ type, state }) => type === "charge" && state === "voided");
  if (voided) {
    return returned > 0
      ? added.map((row) => (row === voided ? { ...row, returned_advance: returned } : row))
      : added;
  }
  if (isInvoiced(record)) return added;
  if (isUnfulfilled(status)) {
    return returned > 0 ? marked(added, lastOf(ledger, "refund"), returned) : added;
  }
  const missing = Math.min(deposit.amount, held) - (received - returnedBefore);
  const replaces = ledger.some((row) => row.returned_advance !== undefined) && missing > 0;
  return replaces ? marked(added, lastOf(added, "charge"), missing) : added;
}

const lastOf = (rows: readonly LedgerRow[], type: LedgerRow["type"]): LedgerRow | undefined =>
  rows.findLast((row) => row.type === type && row.state === "succeeded");

const advanceIn = (ledger: readonly LedgerRow[], type: LedgerRow["type"]): number =>
  ledger.reduce(
    (sum, row) =>
      sum +
      (row.type === type ? (row.advance ?? 0) : 0) +
      (type === "refund" ? (row.returned_advance ?? 0) : 0),
    0,
  );

/** The rows with this row, to whose advance an amount is added. */
function marked(
  rows: readonly LedgerRow[],
  row: LedgerRow | undefined,
  amount: number,
): readonly LedgerRow[] {
  if (!row) return rows;
  const after = { ...row, advance: (row.advance ?? 0) + amount };
  return rows.includes(row) ? rows.map((each) => (each === row ? after : each)) : [...rows, after];
}
