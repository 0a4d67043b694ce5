import type { Shop } from "#shared/application/shop.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { paymentOf } from "#shared/domain/order/view/order-view.ts";
import type { Payment } from "#shared/domain/payment/payment.ts";
import type { PaymentSettings } from "#shared/domain/settings/settings.ts";
import { reconcileThrottled } from "#shared/application/payment/reconcile-with-gateway.ts";
import { beginPayment } from "#shared/application/payment/begin-payment.ts";
import { gatewayPaymentOf } from "#shared/payments/gateway-payment-of.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";

/** An order with its payment. */
export interface PayableOrder extends OrderRecord {
  readonly payment: Payment;
}

/**
 * The payment of a placed order, created at the gateway if the method needs it. If the gateway does not answer, the
 * order stays placed, and confirming the order asks the gateway again.
 */
export async function beginFirstPayment(
  { replayed, ...record }: OrderRecord & { readonly replayed: boolean },
  settings: PaymentSettings,
  now: Date,
  shop: Shop<"table" | "gateways" | "log">,
): Promise<PayableOrder> {
  const { order } = record;
  const asIs = { ...record, payment: paymentOf(order, settings) };
  if (order.payment_method !== "gateway" || order.status !== "pending_payment") return asIs;
  const gateway = await shop.gateways.current(settings);
  if (!gateway) return asIs;
  try {
    const begun = replayed
      ? await reconcileThrottled(shop, record, gateway, { begins: true, now })
      : await beginPayment(shop, record, gateway, now);
    return { ...begun.record, payment: gatewayPaymentOf(begun, gateway, settings) };
  } catch (cause) {
    const isRefused = cause instanceof AppError && cause.code === "payment_refused";
    if (!(cause instanceof Unavailable) && !isRefused) throw cause;
    shop.log.warn("Gateway payment not opened: the gateway is unavailable or refuses it", {
      order_id: order.id,
      cause,
    });
    return asIs;
  }
}
