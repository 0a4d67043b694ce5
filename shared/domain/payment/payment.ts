import * as z from "zod";
import { Currency, MoneySum } from "../base/money.ts";
import { type OrderStatus, isUnfulfilled } from "../order/order-states.ts";
import { BankAccount, PaymentMethod } from "../settings/settings.ts";
import { Day, Timestamp } from "../base/text.ts";

export const PaymentStatus = z.enum([
  "pending",
  "partially_paid",
  "paid",
  "partially_refunded",
  "refunded",
  "failed",
  "cod_pending",
  "awaiting_transfer",
  "overpaid",
]);
export type PaymentStatus = z.output<typeof PaymentStatus>;

/** Units of a line whose price a refund gives back. */
export const RefundedItem = z.object({
  /** The line's. */
  id: z.string(),
  quantity: z.int().min(1),
  /** Of them, those that had not been sent and now never are. */
  withdrawn: z.int().min(0),
  /** Of them, those that came back and are for sale again. */
  returned: z.int().min(0),
});
export type RefundedItem = z.output<typeof RefundedItem>;

/** One movement of money, or an attempt at one: a row of an order's ledger. */
export const Transaction = z.object({
  id: z.string(),
  type: z.enum(["charge", "refund"]),
  state: z.enum(["pending", "succeeded", "failed"]),
  amount: MoneySum,
  method: PaymentMethod,
  /** The gateway's id of it, or the reference that staff gave. */
  provider_ref: z.string().nullable(),
  /** Of a refund: the charge that it gives back from. */
  charge_id: z.string().nullable(),
  /** Of a refund: what it is for; empty when it is for no goods. */
  items: z.array(RefundedItem),
  /** Why, in the words of who asked for it. */
  reason: z.string().nullable(),
  /** Of money that staff received: on which day. */
  received_on: Day.nullable(),
  /** Refunds that were asked for in one go share the id of the first of them. */
  batch_id: z.string().nullable(),
  at: Timestamp,
});
export type Transaction = z.output<typeof Transaction>;

/** What the buyer has to do next. */
export const PaymentAction = z.discriminatedUnion("type", [
  z.object({ type: z.literal("none") }),
  z.object({
    type: z.literal("stripe_payment_intent"),
    client_secret: z.string(),
    publishable_key: z.string(),
  }),
  z.object({
    type: z.literal("bank_details"),
    account: BankAccount,
    reference: z.string(),
    expires_at: Timestamp,
  }),
]);
export type PaymentAction = z.output<typeof PaymentAction>;

export const Payment = z.object({
  method: PaymentMethod,
  status: PaymentStatus,
  amount_due: MoneySum,
  currency: Currency,
  action: PaymentAction,
});
export type Payment = z.output<typeof Payment>;

type Movement = Pick<Transaction, "type" | "state" | "amount">;

/** A charge: all that is said of refunds alone is left empty. */
export const charge = (
  of: Pick<Transaction, "id" | "state" | "amount" | "method" | "provider_ref" | "at"> &
    Partial<Pick<Transaction, "received_on">>,
): Transaction => ({
  received_on: null,
  ...of,
  type: "charge",
  charge_id: null,
  items: [],
  reason: null,
  batch_id: null,
});

/** What has been captured, and given back of it. */
export function moneyMoved(ledger: readonly Movement[]): { paid: number; refunded: number } {
  const settled = (type: Transaction["type"]) =>
    ledger
      .filter((entry) => entry.type === type && entry.state === "succeeded")
      .reduce((sum, { amount }) => sum + amount, 0);
  return { paid: settled("charge"), refunded: settled("refund") };
}

/**
 * What an order's ledger says of its payment. A surplus that was given back leaves it `paid`; one that has ended
 * without any money has `failed` to be paid, whatever it was to be paid by.
 *
 * @param status of the order; undefined: it is being placed
 */
export function paymentStatus(
  ledger: readonly Movement[],
  method: PaymentMethod,
  grandTotal: number,
  status?: OrderStatus,
): PaymentStatus {
  const { paid, refunded } = moneyMoved(ledger);
  const kept = paid - refunded;
  if (refunded > 0 && kept < grandTotal) return kept <= 0 ? "refunded" : "partially_refunded";
  if (kept > grandTotal) return "overpaid";
  if (kept === grandTotal) return "paid";
  if (kept > 0) return "partially_paid";
  if (status !== undefined && isUnfulfilled(status)) return "failed";
  switch (method) {
    case "cod":
      return "cod_pending";
    case "bank_transfer":
      return "awaiting_transfer";
    case "gateway": {
      const charges = ledger.filter(({ type }) => type === "charge");
      return charges.length > 0 && charges.every(({ state }) => state === "failed")
        ? "failed"
        : "pending";
    }
  }
}

/** What was captured and is neither given back nor about to be. */
export function refundDue(ledger: readonly Movement[]): number {
  const { paid } = moneyMoved(ledger);
  const returned = ledger
    .filter(({ type, state }) => type === "refund" && state !== "failed")
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, paid - returned);
}

/** Payments at the gateway that may still bring money. */
export const openCharges = (ledger: readonly Transaction[]): Transaction[] =>
  ledger.filter(
    ({ type, state, method }) => type === "charge" && method === "gateway" && state !== "succeeded",
  );

/**
 * What is still to be paid; nothing once it was paid, whatever was given back since. As long as an order waits for its
 * payment, what was given back of a part is due again.
 */
export function amountDue(order: {
  readonly status: OrderStatus;
  readonly totals: { readonly grand_total: number };
  readonly paid: number;
  readonly refunded: number;
}): number {
  const { status, totals, paid, refunded } = order;
  const counts = status === "pending_payment" ? paid - refunded : paid;
  return Math.max(0, totals.grand_total - counts);
}
