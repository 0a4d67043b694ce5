import type { Shop } from "#shared/application/shop.ts";
import type { Timestamp } from "../../domain/base/text.ts";
import { reconcileAt } from "../../domain/order/status/order-timers.ts";
import type { OrderRecord, StoredOrder } from "../../domain/order/order.ts";
import { changeOf } from "../../domain/order/order-change.ts";
import { openedCharge } from "../../domain/payment/gateway/opened-charge.ts";
import { isPayable } from "../../domain/payment/owing.ts";
import { type Transaction, openCharges } from "../../domain/payment/payment.ts";
import { amountToCharge } from "../../domain/payment/rounding.ts";
import type { PayablePayment, PaymentGateway } from "../../payments/gateway.ts";
import { stepOrder } from "../order/step-order.ts";

/** An order with a payment that its buyer can make, or has made meanwhile. */
export interface BegunPayment {
  readonly record: OrderRecord;
  readonly payment: PayablePayment;
}

const gatewayCharges = ({ rows }: OrderRecord): Transaction[] =>
  rows.transactions.filter(({ type, method }) => type === "charge" && method === "gateway");

const dueOf = ({ order }: OrderRecord): number => amountToCharge(order);

/**
 * Returns the gateway payment of an order that waits to be paid: its current payment, or a new payment if the buyer can
 * no longer make the current one. The payment is created at the gateway first, with an idempotency key derived from the
 * order. So an interrupted or concurrent call gets the same payment.
 */
export async function beginPayment(
  shop: Shop<"table">,
  record: OrderRecord,
  gateway: PaymentGateway,
  now: Date,
): Promise<BegunPayment> {
  const payable = await payableOf(record, gateway);
  if (payable) return { record, payment: payable };
  const { order } = record;
  const payment = await gateway.create({
    orderId: order.id,
    orderNumber: order.number,
    attempt: gatewayCharges(record).length + 1,
    amount: dueOf(record),
    currency: order.currency,
    email: order.customer.email,
  });
  const begun = await stepOrder(shop, record, now, (current) => {
    if (gatewayCharges(current).some(({ provider_ref }) => provider_ref === payment.id)) {
      return undefined;
    }
    const at = now.toISOString();
    return changeOf(
      current,
      {
        transactions: [openedCharge(payment, at)],
        checksAt: checksOf(current.order, payment, now),
      },
      now,
    );
  });
  return { record: begun, payment };
}

/**
 * The checks of an order for which a payment was opened. An order that awaits its first payment has checks anyway. If
 * the order has ended or was paid meanwhile, the check at once cancels the payment.
 */
function checksOf(order: StoredOrder, { amount }: { amount: number }, now: Date): Timestamp[] {
  if (order.status === "pending_payment") return [];
  const isWanted = isPayable(order) && amount === amountToCharge(order);
  return [isWanted ? reconcileAt(now) : now.toISOString()];
}

/**
 * The order's latest payment that the buyer can make or has made; undefined if there is none. Open payments whose
 * amount is not the amount due are cancelled.
 */
async function payableOf(
  record: OrderRecord,
  gateway: PaymentGateway,
): Promise<PayablePayment | undefined> {
  for (const { state, provider_ref } of gatewayCharges(record).toReversed()) {
    if (state === "succeeded" || provider_ref === null) continue;
    const payment = await gateway.find(provider_ref);
    if (!payment || payment.state === "cancelled") continue;
    const canBePaid = payment.state === "open" || payment.state === "failed";
    if (!canBePaid || payment.amount === dueOf(record)) return payment;
    const ended = await gateway.cancel(provider_ref);
    // Just paid, or still processing: no further payment is opened until the result is known.
    if (ended && ended.state !== "cancelled") return { ...payment, ...ended };
  }
  return undefined;
}

/** The order's gateway payments that may still capture money, or may have captured it already. */
export const openPayments = ({ rows }: OrderRecord): string[] =>
  openCharges(rows.transactions).flatMap(({ provider_ref }) => provider_ref ?? []);
