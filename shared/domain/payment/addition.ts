import type { StoredOrder } from "../order/order.ts";
import { judgeCod } from "../pricing/payment-methods.ts";
import type { Settings } from "../settings/settings.ts";
import type { OrderAddition } from "./owing.ts";

const dayMs = 86_400_000;

/** When an addition has to be paid. */
export type AdditionTerms = Pick<OrderAddition, "due" | "due_at">;

/**
 * When what a change adds has to be paid: on delivery, if the order is paid in cash and its new value is within the
 * limits for that; otherwise now.
 *
 * @param order with the lines that are added, and its new value
 */
export function additionTerms(
  { payment_method, items, shipping: { zone: code }, deposit }: StoredOrder,
  current: number,
  { payments, shipping }: Pick<Settings, "payments" | "shipping">,
  now: Date,
): AdditionTerms {
  const zone = shipping.zones.find((each) => each.code === code);
  const isInCash =
    payment_method === "cod" &&
    judgeCod({
      settings: payments.cod,
      servedInZone: zone?.cod === true,
      grandTotal: current,
      lines: items,
    }).available;
  if (isInCash) return { due: "on_delivery", due_at: null };
  const { balance_days } = deposit ?? payments.deposit;
  return { due: "now", due_at: new Date(now.getTime() + balance_days * dayMs).toISOString() };
}

/**
 * The part of an order that changes have added, after one more change.
 *
 * @param by how much the change raises what the order is worth; negative if it lowers it
 * @param terms of what it adds
 */
export function additionAfter(
  before: OrderAddition | null,
  by: number,
  terms: AdditionTerms = { due: "now", due_at: null },
): OrderAddition | null {
  const amount = Math.max(0, (before?.amount ?? 0) + by);
  if (amount === 0) return null;
  return by > 0 || before === null ? { ...terms, amount } : { ...before, amount };
}
