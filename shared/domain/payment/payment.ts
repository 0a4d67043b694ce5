import * as z from "zod";
import { Currency, MoneySum } from "../base/money.ts";
import { type OrderStatus, isBeforeDispatch, isUnfulfilled } from "../order/order-states.ts";
import { Supply } from "../order/supply.ts";
import type { OrderDeposit } from "./deposit.ts";
import { BankAccount, PaymentMethod } from "../settings/settings.ts";
import { Day, Timestamp } from "../base/text.ts";

export const PaymentStatus = z
  .enum([
    "pending",
    "partially_paid",
    "paid",
    "partially_refunded",
    "refunded",
    "failed",
    "cod_pending",
    "awaiting_transfer",
    "overpaid",
  ])
  .meta({
    description:
      "`failed`: the gateway refused the payment, or the order was cancelled or expired unpaid",
  });
export type PaymentStatus = z.output<typeof PaymentStatus>;

/** The units of a line that a refund pays back. */
export const RefundedItem = z.object({
  /** The line's id. */
  id: z.string(),
  quantity: z.int().min(1),
});
export type RefundedItem = z.output<typeof RefundedItem>;

/** One movement of money, or an attempt at one: a row of an order's ledger. */
export const Transaction = z.object({
  id: z.string(),
  type: z.enum(["charge", "refund"]),
  state: z.enum(["pending", "succeeded", "failed"]),
  amount: MoneySum,
  method: PaymentMethod,
  /** The gateway's id, or the reference that staff entered. */
  provider_ref: z.string().nullable(),
  /** For a refund: the charge it refunds. */
  charge_id: z.string().nullable(),
  /** For a refund: the units that it pays back; empty if it refunds an amount without units. */
  items: z.array(RefundedItem),
  /** The reason, as entered by the requester. */
  reason: z.string().nullable(),
  /** For money that staff received: the day of receipt. */
  received_on: Day.nullable(),
  /** Refunds of one request share the id of the request's first refund. */
  batch_id: z.string().nullable(),
  at: Timestamp,
});
export type Transaction = z.output<typeof Transaction>;

/** A transaction as stored. */
export const LedgerRow = Transaction.extend({
  /** For a refund: what it takes off the invoiced supply, which its credit note shows. */
  credit: Supply.optional(),
  /**
   * For a charge: the deposit that it completes. For a refund: what it returns of that deposit, if no invoice follows.
   * Its voucher shows it.
   */
  advance: MoneySum.optional(),
});
export type LedgerRow = z.output<typeof LedgerRow>;

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
    expires_at: Timestamp.nullable().meta({
      description: "Null for a balance that may be paid before it is due",
    }),
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

/** A charge, in which the members for refunds are empty. */
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

/** The captured and the refunded total. */
export function moneyMoved(ledger: readonly Movement[]): { paid: number; refunded: number } {
  const settled = (type: Transaction["type"]) =>
    ledger
      .filter((entry) => entry.type === type && entry.state === "succeeded")
      .reduce((sum, { amount }) => sum + amount, 0);
  return { paid: settled("charge"), refunded: settled("refund") };
}

/**
 * The payment status of an order, from its ledger. After the refund of an overpayment it is `paid`. An order that
 * ended without any money has `failed`, regardless of its payment method.
 *
 * @param status of the order; undefined while it is being placed
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

/** Captured money that is neither refunded nor part of a pending refund. */
export function refundDue(ledger: readonly Movement[]): number {
  const { paid } = moneyMoved(ledger);
  const returned = ledger
    .filter(({ type, state }) => type === "refund" && state !== "failed")
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, paid - returned);
}

/** Gateway payments that may still capture money. */
export const openCharges = (ledger: readonly Transaction[]): Transaction[] =>
  ledger.filter(
    ({ type, state, method }) => type === "charge" && method === "gateway" && state !== "succeeded",
  );

interface Owing {
  readonly status: OrderStatus;
  readonly totals: { readonly grand_total: number };
  readonly paid: number;
  readonly refunded: number;
  readonly deposit: Pick<OrderDeposit, "amount" | "credited"> | null;
}

/**
 * The captured money that counts towards what the order costs. Of an order that is paid at once, a refund counts only
 * while the order waits for its payment.
 */
const settledOf = ({ status, paid, refunded, deposit }: Owing): number => {
  if (deposit) return paid - refunded + deposit.credited;
  return status === "pending_payment" ? paid - refunded : paid;
};

/** The amount still to be paid. */
export const amountDue = (order: Owing): number =>
  Math.max(0, order.totals.grand_total - settledOf(order));

/** The amount that the next payment should have: what is missing of the deposit, afterwards all that is still to be paid. */
export function amountToPay(order: Owing): number {
  const { status, deposit } = order;
  const isConfirmed = status !== "pending_payment" && status !== "expired";
  if (isConfirmed || !deposit) return amountDue(order);
  return Math.max(0, deposit.amount - settledOf(order));
}

/** Whether the buyer can make a payment: the first one, or the balance of an order that is paid in parts. */
export const isPayable = (order: Owing): boolean =>
  order.status === "pending_payment" ||
  (order.deposit !== null && !isUnfulfilled(order.status) && amountDue(order) > 0);

/** Whether the buyer can pay the balance now. What is paid in cash on delivery cannot be paid otherwise after dispatch. */
export const mayPayBalance = (order: Owing & { readonly payment_method: PaymentMethod }): boolean =>
  order.status !== "pending_payment" &&
  isPayable(order) &&
  (order.payment_method !== "cod" || isBeforeDispatch(order.status));
