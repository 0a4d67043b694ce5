import { judgeCod, tooSmallOnline } from "../pricing/payment-methods.ts";
import { nextCheckAt } from "../order/status/order-timers.ts";
import { changeOf } from "../order/order-change.ts";
import type { OrderChange, Step } from "../order/order-step.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import { isBeforeDispatch } from "../order/status/order-states.ts";
import { amountDue, mayPayBalance } from "../payment/owing.ts";
import { amountToCharge } from "../payment/rounding.ts";
import {
  awaitsPayment,
  expiryFor,
  latestExpiry,
  noCashDeposit,
  noTransfer,
  notConfigured,
} from "../payment/payment-window.ts";
import { nextSteps } from "./order-draft.ts";
import type { PaymentMethod, Settings } from "../settings/settings.ts";
import type { Timestamp } from "../base/text.ts";

export type MethodChange =
  /** The order already has this payment method. */
  | { readonly kind: "same" }
  /** The order does not wait for a payment, or its payment window is over. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "not_offered"; readonly message: string }
  | { readonly kind: "changed"; readonly change: OrderChange };

/**
 * Changes the payment method of an order, or starts another attempt with the same method. The stock stays reserved for
 * the new method's payment window. A change never extends the expiry beyond the longest payment window of any method
 * after the order was placed, so repeated changes cannot hold stock forever. The caller first cancels all open gateway
 * payments except the one to be paid.
 *
 * @param gatewayReady whether the gateway can be used
 */
export function changePaymentMethod(
  record: OrderRecord,
  to: PaymentMethod,
  options: {
    readonly settings: Pick<Settings, "payments" | "shipping">;
    readonly gatewayReady: boolean;
    readonly now: Date;
  },
): MethodChange {
  const { order } = record;
  const { settings, now } = options;
  const isSame = order.payment_method === to;
  if (order.status !== "pending_payment") {
    if (mayPayBalance(order)) return changeBalanceMethod(record, to, options);
    const isRepeat = isSame && order.status === "confirmed";
    return isRepeat ? { kind: "same" } : refused(order);
  }
  if (!awaitsPayment(order, settings.payments, now)) return refused(order);
  if (isSame && to !== "gateway") return { kind: "same" };
  const message = triedEnough(record, to) ? tooOften : refusalReason(order, to, options);
  if (message !== null) return { kind: "not_offered", message };
  const mailed = { type: "order_payment_changed", order_id: order.id, method: to } as const;
  const events = [{ ...mailed, at: now.toISOString() }];
  if (to === "cod") {
    return { kind: "changed", change: changeOf(record, { ...onDelivery, events }, now) };
  }

  const expires_at = newExpiry(order, to, settings, now);
  if (isSame && !isLater(expires_at, order.expires_at)) return { kind: "same" };
  const set = { payment_method: to, expires_at };
  const nextCheck = nextCheckAt({ ...order, ...set }, now);
  const step: Step = {
    set,
    entries: isSame ? [] : [changedTo(to)],
    // A buyer who pays through the gateway pays at once and needs no mail.
    events: to === "gateway" ? [] : events,
    checksAt: nextCheck === null ? [] : [nextCheck],
  };
  return { kind: "changed", change: changeOf(record, step, now) };
}

/** Changes the method by which the balance is paid. Cash on delivery must be chosen or given up before dispatch. */
function changeBalanceMethod(
  record: OrderRecord,
  to: PaymentMethod,
  options: Parameters<typeof changePaymentMethod>[2],
): MethodChange {
  const { order } = record;
  const isSame = order.payment_method === to;
  if (isSame && to !== "gateway") return { kind: "same" };
  if (to === "cod" && !isBeforeDispatch(order.status)) return refused(order);
  const message = triedEnough(record, to) ? tooOften : refusalReason(order, to, options);
  if (message !== null) return { kind: "not_offered", message };
  if (isSame) return { kind: "same" };
  const at = options.now.toISOString();
  const mailed = { type: "order_payment_changed", order_id: order.id, method: to, at } as const;
  const step: Step = {
    set: { payment_method: to },
    entries: [changedTo(to)],
    events: to === "gateway" ? [] : [mailed],
  };
  return { kind: "changed", change: changeOf(record, step, options.now) };
}

/** Maximum number of gateway payments per order. Each costs a gateway request at every check of the order. */
const mostAttempts = 10;
const tooOften =
  "Online payment was tried too often for this order. Please choose another payment method.";

const triedEnough = ({ order, rows }: OrderRecord, to: PaymentMethod): boolean =>
  to === "gateway" &&
  order.payment_method !== "gateway" &&
  rows.transactions.filter(({ type, method }) => type === "charge" && method === "gateway")
    .length >= mostAttempts;

const refused = (order: StoredOrder): MethodChange => ({
  kind: "refused",
  message: nothingToPay(order),
});

/** Why an order cannot be paid any more, as a message for its buyer. */
function nothingToPay({ status, payment_status }: StoredOrder): string {
  if (status === "cancelled") return "This order is cancelled and cannot be paid.";
  if (status === "pending_payment" || status === "expired") {
    return "The payment deadline of this order has passed. Please place a new order.";
  }
  switch (payment_status) {
    case "paid":
    case "overpaid":
      return "This order is already paid.";
    case "cod_pending":
      return "This order is paid on delivery.";
    default:
      return "This order has nothing to pay online.";
  }
}

function refusalReason(
  order: StoredOrder,
  to: PaymentMethod,
  { settings: { payments, shipping }, gatewayReady }: Parameters<typeof changePaymentMethod>[2],
): string | null {
  switch (to) {
    case "gateway":
      return gatewayReady ? tooSmallOnline(amountToCharge(order), order.currency) : notConfigured;
    case "bank_transfer":
      return payments.bank_transfer.enabled ? null : noTransfer;
    case "cod": {
      if (order.deposit && order.status === "pending_payment") return noCashDeposit;
      const zone = shipping.zones.find(({ code }) => code === order.shipping.zone);
      const verdict = judgeCod({
        settings: payments.cod,
        servedInZone: zone?.cod === true,
        grandTotal: amountDue(order),
        // What excludes a line from cash on delivery is the risk of an order without any payment.
        lines: order.deposit ? [] : order.items,
      });
      return verdict.available ? null : verdict.message;
    }
  }
}

/**
 * The order's expiry with the new method; null if the order does not expire. A partly paid order, for example, waits
 * until staff decide.
 */
function newExpiry(
  order: StoredOrder,
  to: PaymentMethod,
  { payments }: Pick<Settings, "payments">,
  now: Date,
): Timestamp | null {
  const fullExpiry = expiryFor(to, { payments, isGuest: order.customer.id === null }, now);
  const latest = latestExpiry(order, payments);
  if (latest === null || fullExpiry === null) return null;
  return isLater(fullExpiry, latest) ? latest : fullExpiry;
}

const isLater = (one: Timestamp | null, other: Timestamp | null): boolean =>
  one !== null && other !== null && Date.parse(one) > Date.parse(other);

const changedTo = (method: PaymentMethod) => ({
  type: "payment_method_changed",
  message: `You have chosen another payment method. ${nextSteps[method]}`,
  public: true,
});

const onDelivery: Step = {
  set: { payment_method: "cod", status: "confirmed", expires_at: null },
  entries: [
    changedTo("cod"),
    { type: "confirmed", message: "Your order is confirmed.", public: true },
  ],
};
