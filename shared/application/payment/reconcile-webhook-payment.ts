import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { GatewayNotice } from "#shared/payments/gateway.ts";
import { GatewayEvents, markProcessed } from "#shared/storage/payment/gateway-events.ts";
import { reconcileOrder } from "./reconcile-order.ts";

/**
 * Reconciles the order that a gateway event is about, once per event.
 *
 * @throws Unavailable when the gateway does not answer; the gateway then delivers the event again
 */
export async function reconcileWebhookPayment(
  { id: event_id, paymentId }: GatewayNotice,
  shop: Shop<"table" | "gateways" | "log">,
  now: Date,
): Promise<void> {
  if (paymentId === null || (await shop.table.get(GatewayEvents, { event_id }))) return;
  await reconcilePayment(paymentId, shop, now);
  // The event is marked as processed last, so that it is delivered again if the payment could not be reconciled.
  await shop.table.write(markProcessed(event_id, now));
}

/**
 * Reconciles the order of a payment with the gateway's current state. The webhook event's own content is not used: it
 * may be stale.
 */
async function reconcilePayment(
  paymentId: string,
  shop: Shop<"table" | "gateways" | "log">,
  now: Date,
): Promise<void> {
  const gateway = await shop.gateways.configured();
  if (!gateway) throw new Unavailable("The payment gateway has no keys");
  const payment = await gateway.find(paymentId);
  const orderId = payment?.order_id ?? null;
  const record = orderId === null ? undefined : await openOrders(shop.table).find(orderId);
  const settled = payment && record && (await reconcileOrder(shop, record, payment, now));
  // A payment without an order is no error, because other shops or pages may share the gateway account.
  if (!settled)
    shop.log.warn("Gateway payment ignored: it does not exist or belongs to no order", {
      payment_id: paymentId,
    });
  else if (!settled.agreed) {
    shop.log.error("Payment not applied: amount or currency differs from the order's", {
      payment_id: paymentId,
      order_id: orderId,
    });
  }
}
