import type { OrderRecord } from "../../domain/order/order.ts";
import { changeOf } from "../../domain/order/order-change.ts";
import { openedCharge } from "../../domain/payment/opened-charge.ts";
import { type Transaction, amountDue, openCharges } from "../../domain/payment/payment.ts";
import type { PayablePayment, PaymentGateway } from "../../payments/gateway.ts";
import { type OrderDesk, stepOrder } from "./step-order.ts";

/** An order with a payment that its buyer can make, or that was made meanwhile. */
export interface BegunPayment {
  readonly record: OrderRecord;
  readonly payment: PayablePayment;
}

const gatewayCharges = ({ rows }: OrderRecord): Transaction[] =>
  rows.transactions.filter(({ type, method }) => type === "charge" && method === "gateway");

const dueOf = ({ order }: OrderRecord): number => amountDue(order);

/**
 * The gateway's payment of an order that waits for one: the one it has, or a new one where it has none that can still
 * be paid. The payment is made at the gateway before the order knows of it, under a name that follows from the order:
 * whoever is interrupted in between, or comes twice at once, gets the same one.
 */
export async function beginPayment(
  desk: OrderDesk,
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
  const begun = await stepOrder(
    desk,
    order.id,
    now,
    (found) => {
      if (gatewayCharges(found).some(({ provider_ref }) => provider_ref === payment.id)) {
        return undefined;
      }
      const at = now.toISOString();
      // One that ended meanwhile is looked at, which ends this payment too.
      const lookAt = found.order.status === "pending_payment" ? [] : [at];
      return changeOf(found, { transactions: [openedCharge(payment, at)], lookAt }, now);
    },
    { first: record },
  );
  return { record: begun ?? record, payment };
}

/** The payment that the order has and that asks for what is due, the latest first; one over another amount is ended. */
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
    // Paid a moment before, or the bank is at work on it: nobody is asked for the rest until that is settled.
    if (ended && ended.state !== "cancelled") return { ...payment, ...ended };
  }
  return undefined;
}

/** The order's payments at the gateway that may still bring money, or may have. */
export const openPayments = ({ rows }: OrderRecord): string[] =>
  openCharges(rows.transactions).flatMap(({ provider_ref }) => provider_ref ?? []);
