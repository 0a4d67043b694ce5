import * as z from "zod";
import type { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { ActionContext } from "#shared/domain/order/allowed-actions.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { orderForBuyer, paymentOf } from "#shared/domain/order/order-view.ts";
import type { Payment } from "#shared/domain/payment/payment.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { ReconciledOrder } from "#shared/application/payment/ask-gateway.ts";
import { gatewayPaymentOf } from "#shared/payments/gateway-payment-of.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import type { Deps } from "./deps.ts";

export const OrderParams = z.object({
  order: z.string().max(60).meta({ description: "`id` of the order, not its `number`" }),
});

/** Reads the order in the path and the settings in one step. */
export const openOrder = (
  { params }: { params: z.output<typeof OrderParams> },
  { orders, settings }: Deps,
): Promise<[OrderRecord | undefined, Settings]> =>
  Promise.all([orders.find(params.order), settings.latest()]);

const answer = (record: OrderRecord, payment: Payment, context: ActionContext): ConfirmAnswer => ({
  order: orderForBuyer(record, context),
  payment,
});

/** The response for an order whose payment is not read from the gateway. */
export const currentAnswer = (record: OrderRecord, context: ActionContext): ConfirmAnswer =>
  answer(record, paymentOf(record.order, context.settings.payments), context);

/**
 * @throws AppError `payment_mismatch` when the amount or currency of the gateway's payment is not what the order
 *   requires
 */
export function answerOfReconciled(
  reconciled: ReconciledOrder,
  gateway: PaymentGateway,
  context: ActionContext,
): ConfirmAnswer {
  if (!reconciled.agreed) throw new AppError("payment_mismatch");
  const payment = gatewayPaymentOf(reconciled, gateway, context.settings.payments);
  return answer(reconciled.record, payment, context);
}
