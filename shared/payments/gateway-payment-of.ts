import type { OrderRecord } from "../domain/order/order.ts";
import { paymentOf } from "../domain/order/view/order-view.ts";
import { isPayable } from "../domain/payment/owing.ts";
import type { Payment } from "../domain/payment/payment.ts";
import type { PaymentSettings } from "../domain/settings/settings.ts";
import type { PayablePayment, PaymentGateway } from "./gateway.ts";

/** How an order is paid, after its gateway payment was reconciled. */
export function gatewayPaymentOf(
  {
    record: { order },
    payment,
  }: { record: OrderRecord; payment: Pick<PayablePayment, "state" | "clientSecret"> | undefined },
  { publishableKey }: PaymentGateway,
  settings: PaymentSettings,
): Payment {
  const shown = paymentOf(order, settings);
  const waits = isPayable(order) && order.payment_method === "gateway";
  const canBePaid = payment?.state === "open" || payment?.state === "failed";
  if (!waits || !canBePaid) return shown;
  const { clientSecret: client_secret } = payment;
  return {
    ...shown,
    action: { type: "stripe_payment_intent", client_secret, publishable_key: publishableKey },
  };
}
