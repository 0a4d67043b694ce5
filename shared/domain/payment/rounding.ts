import type { StoredOrder } from "../order/order.ts";
import { amountDue, amountToPay } from "./owing.ts";
import type { Transaction } from "./payment.ts";

/** The minor units in whose multiples cash is paid, by currency. */
const cashSteps: Readonly<Record<string, number>> = {
  CHF: 5,
  CZK: 100,
  DKK: 50,
  INR: 100,
  NOK: 100,
  SEK: 100,
};

/** The minor units in whose multiples the shop takes cash. @param setting null for the currency's own */
export const cashStepOf = (currency: string, setting: number | null): number =>
  setting ?? cashSteps[currency] ?? 1;

/** Currencies with three decimals. Gateways charge them in tens of their minor units. */
const inTens: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);
const chargeStepOf = (currency: string): number => (inTens.has(currency) ? 10 : 1);

/** The multiple of a step that is nearest to an amount; of two, the larger one. */
export const roundToStep = (amount: number, step: number): number =>
  Math.floor((2 * amount + step) / (2 * step)) * step;

/** The members of an order by which money is rounded. */
export type Rounded = Pick<StoredOrder, "currency" | "rounding" | "cash_rounding">;

/**
 * What is paid in cash instead of an amount that is due.
 *
 * @param due after the order's present rounding, which a payment of the result replaces
 */
export const cashFor = ({ rounding, cash_rounding }: Rounded, due: number): number =>
  due <= 0 ? 0 : Math.max(0, roundToStep(due - rounding, cash_rounding));

/**
 * What confirms an order that is paid in cash. Only a payment of all that is due is rounded to the nearest multiple: a
 * deposit is rounded up, so that it is enough.
 *
 * @param due the deposit, or everything
 */
export const cashToConfirm = (order: Rounded & Pick<StoredOrder, "deposit">, due: number): number =>
  order.deposit === null
    ? cashFor(order, due)
    : Math.ceil(due / order.cash_rounding) * order.cash_rounding;

/**
 * The amount that a gateway can charge for an amount that is due. A part is rounded up, so that it is enough.
 *
 * @param isWhole whether nothing is due besides
 */
export function chargeFor({ currency, rounding }: Rounded, due: number, isWhole: boolean): number {
  const step = chargeStepOf(currency);
  if (step === 1 || due <= 0) return due;
  return isWhole ? roundToStep(due - rounding, step) : Math.ceil(due / step) * step;
}

/** What the gateway charges of an order next. */
export function amountToCharge(order: StoredOrder): number {
  const next = amountToPay(order);
  const all = amountDue({ ...order, status: "confirmed" });
  return chargeFor(order, next, next === all);
}

/** What a movement of money leaves an order rounded by. */
export const roundedBy = (rounding: number): Pick<StoredOrder, "rounding" | "rounding_paid"> => ({
  rounding,
  rounding_paid: rounding,
});

/**
 * How a payment rounds its order: one of exactly the due or the rounded amount pays all that is due. Any other rounds
 * nothing.
 *
 * @param due before the payment
 */
export function roundingAfter(
  order: Rounded,
  { amount, tender, method }: Pick<Transaction, "amount" | "tender" | "method">,
  due: number,
): Partial<Pick<StoredOrder, "rounding" | "rounding_paid">> {
  const isWhole = amount === due;
  const isCash = tender === "cash" && amount === cashFor(order, due);
  const isCharge = method === "gateway" && amount === chargeFor(order, due, true);
  return due > 0 && (isWhole || isCash || isCharge) ? roundedBy(order.rounding + amount - due) : {};
}

/** A refund that is made in cash, and the order's rounding after it. */
export interface CashRefund {
  readonly amount: number;
  readonly rounding: number;
}

/**
 * What is paid back in cash of money that was received beyond an order's value.
 *
 * @param goods what the order is worth without rounding
 */
export function cashRefund(
  { cash_rounding }: Pick<Rounded, "cash_rounding">,
  { goods, received }: { readonly goods: number; readonly received: number },
): CashRefund {
  const surplus = received - goods;
  if (goods === 0) return { amount: Math.max(0, surplus), rounding: 0 };
  const amount = Math.min(received, Math.max(0, roundToStep(surplus, cash_rounding)));
  return { amount, rounding: received - amount - goods };
}
