import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Currency, MoneySum } from "../base/money.ts";
import { type OrderStatus, isUnfulfilled } from "../order/status/order-states.ts";
import { BankAccount, PaymentMethod } from "../settings/settings.ts";
import { GatewayRefusal } from "./gateway/gateway-payment.ts";
import { Day, NullableTimestamp, Timestamp } from "../base/text.ts";

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

/** How money that staff received was paid. */
export const Tender = z.enum([
  "cash",
  "card_terminal",
  "upi",
  "cheque",
  "bank_transfer",
  "finance",
]);
export type Tender = z.output<typeof Tender>;

/** One movement of money, or an attempt at one: a row of an order's ledger. */
export const Transaction = z.object({
  id: z.string(),
  type: z.enum(["charge", "refund", "dispute"]).meta({
    description: "`dispute`: money that the buyer's bank has taken back",
  }),
  state: z.enum(["pending", "succeeded", "failed", "voided"]).meta({
    description: "`voided`: entered by mistake; it counts nowhere",
  }),
  amount: MoneySum,
  method: PaymentMethod.meta({
    description:
      "The method that the payment counts as. Cash, card and UPI at a counter count as `cod`: `tender` says how it was paid",
  }),
  tender: Tender.nullable().default(null).meta({
    description: "How money that staff received was paid; null for gateway payments and refunds",
  }),
  /** The gateway's id, or the reference that staff entered. */
  provider_ref: z.string().nullable(),
  /** For a refund or dispute: the charge that it is about. */
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
  /**
   * For a charge: the deposit that it completes. For a refund: what it returns of that deposit, if no invoice follows.
   * Its voucher shows it.
   */
  advance: MoneySum.optional(),
  /** For a voided charge: what its void takes back of the deposit. A refund voucher shows it. */
  returned_advance: MoneySum.optional(),
  /** For a charge of all that was due: what the order was rounded by with it. */
  rounding: z.int().optional(),
  /** For a refund: the change of the order that it pays back. */
  change_id: Id("chg").optional(),
  /** For a refund: the return that it settles. */
  return_id: Id("ret").optional(),
  /**
   * For a refund that a change of the order makes: whether the change's letter says it. Such a refund has no letter of
   * its own.
   */
  announced: z.boolean().optional(),
  /** For a failed refund: why the gateway refused it. */
  refusal: GatewayRefusal.optional(),
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
    expires_at: NullableTimestamp.meta({
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
    Partial<Pick<Transaction, "received_on" | "tender">>,
): Transaction => ({
  received_on: null,
  tender: null,
  ...of,
  type: "charge",
  charge_id: null,
  items: [],
  reason: null,
  batch_id: null,
});

/** The captured total, and the total of the refunds that were made. */
export function moneyMoved(ledger: readonly Movement[]): { paid: number; refunded: number } {
  const settled = (type: Transaction["type"]) =>
    ledger
      .filter((entry) => entry.type === type && entry.state === "succeeded")
      .reduce((sum, { amount }) => sum + amount, 0);
  return { paid: settled("charge"), refunded: settled("refund") };
}

/**
 * The captured money that counts towards what the order costs. A refund is subtracted from the moment it is recorded
 * until it fails.
 */
export const receivedIn = (ledger: readonly Movement[]): number =>
  ledger.reduce((sum, movement) => sum + effectOf(movement), 0);

/** The money that lost disputes took. It stays received, so nothing becomes due, but it cannot be refunded. */
export const disputedIn = (ledger: readonly Movement[]): number =>
  ledger.reduce((sum, { type, amount }) => (type === "dispute" ? sum + amount : sum), 0);

/** The received money that no bank has taken back. */
export const heldIn = (ledger: readonly Movement[]): number =>
  receivedIn(ledger) - disputedIn(ledger);

/** What a ledger row adds to the received money. */
export function effectOf(movement: Movement): number {
  const { type, state, amount } = movement;
  if (type === "dispute") return 0;
  if (type === "charge") return state === "succeeded" ? amount : 0;
  return isInEffect(movement) ? -amount : 0;
}

/** Whether a movement has happened or may still happen. */
export const isInEffect = ({ state }: Pick<Transaction, "state">): boolean =>
  state !== "failed" && state !== "voided";

/** Whether a cheque was received that is neither cleared nor bounced. */
export const awaitsCheque = (ledger: readonly Pick<Transaction, "tender" | "state">[]): boolean =>
  ledger.some(({ tender, state }) => tender === "cheque" && state === "pending");

/**
 * The payment status of an order.
 *
 * @param ledger.current what the order is worth
 * @param ledger.status of the order; undefined while it is being placed
 */
export function paymentStatus(
  ledger: readonly Movement[],
  {
    method,
    current,
    status,
  }: {
    readonly method: PaymentMethod;
    readonly current: number;
    readonly status?: OrderStatus;
  },
): PaymentStatus {
  const received = receivedIn(ledger);
  const held = heldIn(ledger);
  const isCaptured = moneyMoved(ledger).paid > 0;
  if (status !== undefined && isUnfulfilled(status)) {
    if (!isCaptured) return "failed";
    if (held <= 0) return "refunded";
  }
  if (held > current) return "overpaid";
  if (received >= current) return wentBack(ledger, received);
  if (received > 0) return "partially_paid";
  switch (method) {
    case "cod":
      return "cod_pending";
    case "bank_transfer":
      return "awaiting_transfer";
    case "gateway": {
      const charges = ledger.filter(({ type, state }) => type === "charge" && state !== "voided");
      return charges.length > 0 && charges.every(({ state }) => state === "failed")
        ? "failed"
        : "pending";
    }
  }
}

/** The payment status of an order with nothing due and no surplus. */
function wentBack(ledger: readonly Movement[], received: number): PaymentStatus {
  const isRefunded = ledger.some((row) => row.type === "refund" && isInEffect(row));
  if (!isRefunded) return "paid";
  return received <= 0 ? "refunded" : "partially_refunded";
}

/** Gateway payments that may still capture money. */
export const openCharges = (ledger: readonly Transaction[]): Transaction[] =>
  ledger.filter(
    ({ type, state, method }) => type === "charge" && method === "gateway" && state !== "succeeded",
  );
