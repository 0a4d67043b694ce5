import type { OrderRecord } from "../domain/order.ts";
import { changeOf } from "../domain/order-change.ts";
import { type Transaction, amountDue } from "../domain/payment.ts";
import { openedCharge } from "../domain/settle-payment.ts";
import type { PayablePayment, PaymentGateway } from "./gateway.ts";
import { type OrderDesk, stepOrder } from "./step-order.ts";

/** An order with a payment that its buyer can make, or that was made meanwhile. */
export interface BegunPayment {
  readonly record: OrderRecord;
  readonly payment: PayablePayment;
}

const gatewayCharges = ({ rows }: OrderRecord): Transaction[] =>
  rows.transactions.filter(({ type, method }) => type === "charge" && method === "gateway");

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
  const charges = gatewayCharges(record);
  const latest = charges.at(-1);
  if (latest?.provider_ref != null) {
    const payment = await gateway.find(latest.provider_ref);
    if (payment && payment.state !== "cancelled") return { record, payment };
  }
  const { order } = record;
  const payment = await gateway.create({
    orderId: order.id,
    orderNumber: order.number,
    attempt: charges.length + 1,
    amount: amountDue({ ...order.totals, paid: order.paid }),
    currency: order.currency,
    email: order.customer.email,
  });
  const begun = await stepOrder(
    desk,
    order.id,
    now,
    (found) =>
      gatewayCharges(found).some(({ provider_ref }) => provider_ref === payment.id)
        ? undefined
        : changeOf(found, { transactions: [openedCharge(payment, now.toISOString())] }, now),
    { first: record },
  );
  return { record: begun ?? record, payment };
}

/** The order's payments at the gateway that may still bring money, or may have. */
export const openPayments = (record: OrderRecord): string[] =>
  gatewayCharges(record).flatMap(({ state, provider_ref }) =>
    state !== "succeeded" && provider_ref !== null ? [provider_ref] : [],
  );
