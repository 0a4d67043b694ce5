import * as z from "zod";
import { writtenAmount } from "../base/money.ts";
import { MultilineText, type Timestamp } from "../base/text.ts";
import { withoutPart } from "../order/status/confirm-order.ts";
import { isInvoiced } from "../order/invoice/credit-supply.ts";
import { roundingInvoiced } from "../order/invoice/invoiced-supplies.ts";
import { changeOf } from "../order/order-change.ts";
import { withRows, type Step, type StaffStep } from "../order/order-step.ts";
import { nextCheckAt } from "../order/status/order-timers.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import {
  type LedgerRow,
  type Transaction,
  awaitsCheque,
  isInEffect,
  receivedIn,
} from "./payment.ts";
import { type MoneyContext, receiveMoney } from "./receive-money.ts";
import { awaitsReference } from "./refund/refunds.ts";

/** `PATCH /admin/orders/{id}/payments/{transaction}`. */
export const ChequePatch = z.strictObject({ state: z.enum(["cleared", "bounced"]) });
export type ChequePatch = z.output<typeof ChequePatch>;

/** `POST /admin/orders/{id}/payments/{transaction}/void`. */
export const VoidInput = z.strictObject({
  reason: MultilineText(500).meta({ description: "Visible to staff only" }),
  notify: z.boolean().default(false).meta({ description: "Whether the buyer gets a letter" }),
});
export type VoidInput = z.output<typeof VoidInput>;

interface Correction {
  readonly now: Date;
  /** When an unpaid order expires whose payment window begins now; null if it does not expire. */
  readonly expiry: Timestamp | null;
}

/**
 * Records that a cheque is cleared, so that its money is received today, or that it has bounced. An order that then
 * waits for its first payment again gets a new payment window.
 *
 * @param context.today in the shop's time zone
 */
export function settleCheque(
  record: OrderRecord,
  id: string,
  { state }: ChequePatch,
  context: Correction & MoneyContext & { readonly today: string },
): StaffStep {
  const row = chargeOf(record, id);
  if (!row) return { kind: "unknown" };
  const refused = (message: string) => ({ kind: "refused", from: row.state, message }) as const;
  if (row.tender !== "cheque") return refused("Only a cheque can be cleared or bounce.");
  const to = state === "cleared" ? "succeeded" : "failed";
  if (row.state === to) return { kind: "already" };
  if (row.state !== "pending") return refused("This cheque has another state already.");
  const { now, expiry, today } = context;
  const at = now.toISOString();
  if (state === "cleared") {
    const cleared = { ...row, state: to, received_on: today, at } as const;
    return { kind: "changed", change: receiveMoney(record, cleared, context) };
  }
  const bounced = { ...row, state: to, at } as const;
  const message = `The cheque ${row.provider_ref} of ${amountOf(record, row)} has bounced.`;
  const step: Step = {
    ...unpaidAgain(record, [bounced], { now, expiry }),
    transactions: [bounced],
    entries: [{ type: "cheque_bounced", message, public: false }],
  };
  return { kind: "changed", change: changeOf(record, step, now) };
}

/**
 * Undoes a payment that staff entered by mistake. The row stays and counts nowhere. Refunds of it that staff have not
 * made yet are undone with it; one that was made keeps the payment. The order's status stays.
 */
export function voidPayment(
  record: OrderRecord,
  id: string,
  { reason, notify }: VoidInput,
  { now, expiry }: Correction,
): StaffStep {
  const row = chargeOf(record, id);
  if (!row) return { kind: "unknown" };
  if (row.state === "voided") return { kind: "already" };
  const refused = (message: string) => ({ kind: "refused", from: row.state, message }) as const;
  if (row.method === "gateway")
    return refused("The gateway has received this payment. Refund it instead.");
  if (row.state === "failed") return refused("This cheque has bounced, so it counts nowhere.");
  const { transactions: ledger } = record.rows;
  const refunds = ledger.filter((each) => each.charge_id === id && isInEffect(each));
  if (!refunds.every(awaitsReference))
    return refused("This payment was refunded, so it cannot be voided.");

  const voided = [row, ...refunds].map((each): LedgerRow => ({ ...each, state: "voided" }));
  const amount = amountOf(record, row);
  const again = unpaidAgain(record, voided, { now, expiry });
  const attention = again.set?.attention ?? record.order.attention;
  const step: Step = {
    ...again,
    set: {
      ...again.set,
      ...roundingWithout(record, row),
      attention: withRows(ledger, voided).some(awaitsReference)
        ? attention
        : attention.filter(({ code }) => code !== "refund_to_make"),
    },
    transactions: voided,
    entries: [
      {
        type: "payment_voided",
        message: `The payment of ${amount} was entered by mistake. ${reason}`,
        public: false,
      },
      ...(notify ? [corrected] : []),
    ],
    events: notify
      ? [{ type: "order_payment_voided", order_id: record.order.id, transaction_id: id }]
      : [],
  };
  return { kind: "changed", change: changeOf(record, step, now) };
}

/**
 * What an order is rounded by without a payment. What was rounded for it counts no longer, unless a later payment was
 * rounded anew; what earlier payments and the invoices were rounded by does.
 */
function roundingWithout(
  record: OrderRecord,
  row: LedgerRow,
): Partial<Pick<StoredOrder, "rounding" | "rounding_paid">> {
  const rounded = record.rows.transactions.filter(
    (each) => each.rounding !== undefined && isInEffect(each),
  );
  const position = rounded.findIndex(({ id }) => id === row.id);
  if (position < 0 || position < rounded.length - 1) return {};
  const { rounding: rounding_paid = 0 } = rounded.at(-2) ?? {};
  const rounding = isInvoiced(record) ? roundingInvoiced(record) : rounding_paid;
  return { rounding, rounding_paid };
}

const corrected = {
  type: "payment_corrected",
  message: "A payment was entered by mistake and does not count.",
  public: true,
} as const;

const chargeOf = ({ rows }: OrderRecord, id: string): LedgerRow | undefined =>
  rows.transactions.find((row) => row.id === id && row.type === "charge");

const amountOf = ({ order }: OrderRecord, { amount }: Transaction): string =>
  writtenAmount(amount, order.currency, "en");

/** A new payment window for an order that has received nothing and expects no cheque once the rows have changed. */
function unpaidAgain(
  { order, rows }: OrderRecord,
  changes: readonly LedgerRow[],
  { now, expiry }: Correction,
): Pick<Step, "set" | "checksAt"> {
  const ledger = withRows(rows.transactions, changes);
  const isUnpaid = receivedIn(ledger) <= 0 && !awaitsCheque(ledger);
  if (order.status !== "pending_payment" || !isUnpaid) return {};
  const set = { expires_at: expiry, attention: withoutPart(order) };
  const check = nextCheckAt({ ...order, ...set }, now);
  return { set, checksAt: check === null ? [] : [check] };
}
