import type { OrderRecord } from "../../domain/order/order.ts";
import { beginPayment, openPayments } from "./begin-payment.ts";
import type { PayablePayment, PaymentGateway } from "../../payments/gateway.ts";
import { settleOrder } from "./reconcile-order.ts";
import type { OrderDesk } from "./step-order.ts";

/** An order that knows what the gateway says of it. */
export interface AskedOrder {
  readonly record: OrderRecord;
  /** What was asked about last; undefined: the gateway knows of no payment. */
  readonly payment: Pick<PayablePayment, "id" | "state" | "clientSecret"> | undefined;
  /** False: the gateway's payment is not what the order agreed to. */
  readonly agreed: boolean;
}

/**
 * Brings an order up to what the gateway says of its payments now.
 *
 * @param begins whether an order that waits for a payment gets one where it has none
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
