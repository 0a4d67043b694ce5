import type { GatewayRefusal } from "#shared/domain/payment/gateway/gateway-payment.ts";
import { refundRefusal } from "#shared/domain/payment/gateway/refund-refusal.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { openGatewayRefunds } from "#shared/domain/payment/refund/refunds.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { Gateways } from "./open-gateway.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";

/**
 * Reads the payments that a change refunds from the gateway, before anything is stored. If the gateway cannot be
 * reached, the change is accepted, and its refunds are pending.
 *
 * @param record the order before the change
 * @throws AppError `payment_refused` if the gateway would refuse one of the refunds for good
 */
export async function requireRefundable(
  { gateways }: { readonly gateways: Pick<Gateways, "configured"> },
  { rows: { transactions } }: OrderRecord,
  change: Pick<OrderChange, "transactions">,
): Promise<void> {
  const refunds = openGatewayRefunds(change.transactions);
  const gateway = refunds.length === 0 ? null : await gateways.configured();
  if (!gateway) return;
  for (const { charge_id, amount } of refunds) {
    const paymentId = transactions.find(({ id }) => id === charge_id)?.provider_ref;
    if (paymentId == null) throw new Error(`The refund of ${charge_id} has no charge`);
    const payment = await gateway.find(paymentId).catch((error: unknown) => {
      if (error instanceof Unavailable) return null;
      throw error;
    });
    if (payment === null) return;
    const refusal = refundRefusal(payment, amount, transactions);
    if (refusal) throw refundRefused(refusal);
  }
}

/** The answer to a request whose refund the gateway refuses for good. */
export const refundRefused = ({ code, reason }: GatewayRefusal): AppError =>
  new AppError("payment_refused", {
    message: "The payment gateway refuses this refund. Name a `method` to refund in another way.",
    details: { reason, code },
  });
