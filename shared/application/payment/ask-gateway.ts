import type { OrderRecord } from "../../domain/order/order.ts";
import { beginPayment, openPayments } from "./begin-payment.ts";
import type { PayablePayment, PaymentGateway } from "../../payments/gateway.ts";
import { settleOrder } from "./reconcile-order.ts";
import type { OrderDesk } from "./step-order.ts";

/** An order, reconciled with the gateway. */
export interface AskedOrder {
  readonly record: OrderRecord;
  /** The payment that was reconciled last; undefined if the gateway knows of none. */
  readonly payment: Pick<PayablePayment, "id" | "state" | "clientSecret"> | undefined;
  /** False if the gateway's payment does not match the order. */
  readonly agreed: boolean;
}

/**
 * Reconciles an order with the current state of its payments at the gateway.
 *
 * @param begins whether to open a payment for an order that waits for one and has none
 * @throws Unavailable when the gateway cannot be reached
 */
export async function askGateway(
  desk: OrderDesk,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: { begins: boolean; now: Date },
): Promise<AskedOrder> {
  if (begins && record.order.status === "pending_payment") {
    const begun = await beginPayment(desk, record, gateway, now);
    return settled(desk, begun.record, begun.payment, now);
  }
  let asked: AskedOrder = { record, payment: undefined, agreed: true };
  for (const paymentId of openPayments(record)) {
    const payment = await gateway.find(paymentId);
    if (!payment) continue;
    const next = await settled(desk, asked.record, payment, now);
    asked = { ...next, agreed: asked.agreed && next.agreed };
  }
  return asked;
}

async function settled(
  desk: OrderDesk,
  record: OrderRecord,
  payment: PayablePayment,
  now: Date,
): Promise<AskedOrder> {
  const { order } = record;
  const { record: latest, agreed } = (await settleOrder(desk, order.id, payment, now, record)) ?? {
    record,
    agreed: true,
  };
  return { record: latest, payment, agreed };
}
