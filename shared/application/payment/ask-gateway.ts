import type { OrderRecord } from "../../domain/order/order.ts";
import { isPayable } from "../../domain/payment/payment.ts";
import { beginPayment, openPayments } from "./begin-payment.ts";
import type { PayablePayment, PaymentGateway } from "../../payments/gateway.ts";
import { reconcileOrder } from "./reconcile-order.ts";
import type { OrderDeps } from "./step-order.ts";

/** An order, reconciled with the gateway. */
export interface ReconciledOrder {
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
export async function reconcileWithGateway(
  deps: OrderDeps,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: { begins: boolean; now: Date },
): Promise<ReconciledOrder> {
  if (begins && isPayable(record.order)) {
    const begun = await beginPayment(deps, record, gateway, now);
    return reconcileOne(deps, begun.record, begun.payment, now);
  }
  let reconciled: ReconciledOrder = { record, payment: undefined, agreed: true };
  for (const paymentId of openPayments(record)) {
    const payment = await gateway.find(paymentId);
    if (!payment) continue;
    const next = await reconcileOne(deps, reconciled.record, payment, now);
    reconciled = { ...next, agreed: reconciled.agreed && next.agreed };
  }
  return reconciled;
}

async function reconcileOne(
  deps: OrderDeps,
  record: OrderRecord,
  payment: PayablePayment,
  now: Date,
): Promise<ReconciledOrder> {
  const { order } = record;
  const { record: latest, agreed } = (await reconcileOrder(deps, order.id, payment, {
    now,
    first: record,
  })) ?? {
    record,
    agreed: true,
  };
  return { record: latest, payment, agreed };
}
