import type { Shop } from "#shared/application/shop.ts";
import type { GatewayPayment } from "../../domain/payment/gateway/gateway-payment.ts";
import type { OrderRecord } from "../../domain/order/order.ts";
import type { Transaction } from "../../domain/payment/payment.ts";
import { openGatewayRefunds } from "../../domain/payment/refund/refunds.ts";
import {
  type Reconciliation,
  reconcilePayment,
  reconcileRefund,
} from "../../domain/payment/gateway/reconcile-payment.ts";
import type { PaymentGateway } from "../../payments/gateway.ts";
import { type OrderStep, stepOrder } from "../order/step-order.ts";

/** The order, and whether the gateway's payment was applied. A mismatch only notifies staff. */
export interface Reconciled {
  readonly record: OrderRecord;
  readonly agreed: boolean;
}

/** Maximum number of steps for one payment: one step for its charge, and one for each of its refunds. */
const mostSteps = 200;

/**
 * Reconciles an order with the state of one of its gateway payments. May be called at any time and concurrently.
 */
export async function reconcileOrder(
  shop: Shop<"table">,
  first: OrderRecord,
  payment: GatewayPayment,
  now: Date,
): Promise<Reconciled> {
  let latest = first;
  for (let taken = 0; taken < mostSteps; taken++) {
    const results: Reconciliation[] = [];
    const step: OrderStep = (current, context) => {
      const result = reconcilePayment(current, payment, context);
      results.push(result);
      return result.kind === "known" ? undefined : (result.change ?? undefined);
    };
    latest = await stepOrder(shop, latest, now, step);
    const last = results.at(-1)?.kind;
    if (last !== "changed") return { record: latest, agreed: last === "known" };
  }
  throw new Error(`The payment ${payment.id} was not reconciled within ${mostSteps} steps`);
}

/**
 * Requests pending refunds from the gateway and applies the results. The ledger row's id is the idempotency key, so a
 * repeated request refunds nothing twice.
 *
 * @param options.selects which refunds; defaults to all
 * @throws Unavailable when the gateway cannot be reached; earlier refunds have then been applied
 */
export async function makeRefunds(
  shop: Shop<"table">,
  record: OrderRecord,
  gateway: PaymentGateway,
  { now, selects = () => true }: { now: Date; selects?: (refund: Transaction) => boolean },
): Promise<OrderRecord> {
  let latest = record;
  const open = openGatewayRefunds(record.rows.transactions).filter(selects);
  for (const { id: transactionId, amount, charge_id } of open) {
    const paymentId = record.rows.transactions.find(({ id }) => id === charge_id)?.provider_ref;
    if (paymentId == null) throw new Error(`The refund ${transactionId} has no charge`);
    const refund = await gateway.refund({ paymentId, amount, transactionId });
    latest = await stepOrder(shop, latest, now, (current) =>
      reconcileRefund(current, paymentId, refund, now),
    );
  }
  return latest;
}
