import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Currency, MoneySum } from "../base/money.ts";
import { type OrderStatus, isBeforeDispatch, isUnfulfilled } from "../order/status/order-states.ts";
import type { OrderAddition, OrderDeposit } from "./deposit.ts";
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
  method: PaymentMethod,
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
  /** For a refund: the change of the order that it pays back. */
  change_id: Id("chg").optional(),
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

/** The members of an order that say what it owes. An order of a release without `current` has all of its goods. */
export interface Owing {
  readonly status: OrderStatus;
  readonly totals: { readonly grand_total: number };
  readonly current?: number | undefined;
  readonly received?: number | undefined;
  readonly disputed?: number;
  readonly paid: number;
  readonly refunded: number;
  readonly deposit: Pick<OrderDeposit, "amount"> | null;
  readonly addition?: Pick<OrderAddition, "amount" | "due"> | null;
}

type OwingBy = Owing & { readonly payment_method: PaymentMethod };

/** What the goods of an order are worth, even if it has expired. A late payment may still confirm it. */
const goodsWorth = ({ current, totals }: Owing): number => current ?? totals.grand_total;

/** What an order is worth now. An expired order is worth nothing. */
export const currentOf = (order: Owing): number =>
  order.status === "expired" ? 0 : goodsWorth(order);

/** The captured money less refunds. */
export const receivedOf = ({ received, paid, refunded }: Owing): number =>
  received ?? paid - refunded;

/** The amount still to be paid. */
export const amountDue = (order: Owing): number =>
  Math.max(0, currentOf(order) - receivedOf(order));

/** Whether an order was delivered for cash that nobody has recorded yet. Such an order does not complete. */
export const lacksCash = (order: OwingBy): boolean =>
  order.payment_method === "cod" && order.status === "delivered" && amountDue(order) > 0;

/** The received money, without what disputes took, beyond what the order is worth. */
export const surplusOf = (order: Owing): number =>
  Math.max(0, receivedOf(order) - (order.disputed ?? 0) - currentOf(order));

/** The received money with which an unpaid order is confirmed: its deposit, or everything. */
export const amountToConfirm = (order: Owing): number =>
  Math.min(order.deposit?.amount ?? Infinity, goodsWorth(order));

/**
 * The amount that the next payment should have: what is missing of the deposit, then what is due now, and from
 * `ready_to_dispatch` on all that is still to be paid.
 */
export function amountToPay(order: OwingBy): number {
  const { status } = order;
  if (status === "pending_payment" || status === "expired") {
    return Math.max(0, amountToConfirm(order) - receivedOf(order));
  }
  const isBalanceLater = status === "confirmed" || status === "in_production";
  const now = order.payment_method !== "cod" && isBalanceLater ? unpaidNow(order) : 0;
  return now > 0 ? now : amountDue(order);
}

/** The amounts of the parts of an order: the deposit, if it has one, what changes have added, and the rest. */
export function partsOf(order: Owing): { deposit: number; added: number; rest: number } {
  const total = currentOf(order);
  const deposit = Math.min(order.deposit?.amount ?? 0, total);
  const added = Math.min(order.addition?.amount ?? 0, total - deposit);
  return { deposit, added, rest: total - deposit - added };
}

/** What is still to be paid of the parts that are due now. Received money fills them before the others. */
export function unpaidNow(order: OwingBy): number {
  const { deposit, added, rest } = partsOf(order);
  const isInCash = order.payment_method === "cod";
  const isRestNow = order.deposit === null && !isInCash;
  const addedNow = order.addition?.due === "now" || !isInCash ? added : 0;
  return Math.max(0, deposit + addedNow + (isRestNow ? rest : 0) - receivedOf(order));
}

/** What has to be paid before the order may leave, unless it is waived. */
export const heldAmount = (order: OwingBy): number => {
  if (order.payment_method !== "cod") return amountDue(order);
  const { added } = partsOf(order);
  return order.addition?.due === "now" ? Math.min(added, unpaidNow(order)) : 0;
};

/**
 * Whether the buyer can make a payment: the first one, the balance of an order that is paid in parts, or what is due
 * again. What is paid on delivery in one amount is not payable.
 */
export const isPayable = (order: OwingBy): boolean =>
  order.status === "pending_payment" ||
  (!isUnfulfilled(order.status) &&
    amountDue(order) > 0 &&
    (order.deposit !== null || order.payment_method !== "cod" || heldAmount(order) > 0));

/** Whether the buyer can pay the balance now. What is paid in cash on delivery cannot be paid otherwise after dispatch. */
export const mayPayBalance = (order: Parameters<typeof isPayable>[0]): boolean =>
  order.status !== "pending_payment" &&
  isPayable(order) &&
  (order.payment_method !== "cod" || isBeforeDispatch(order.status));
