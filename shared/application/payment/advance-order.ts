import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import type { OrderRecord } from "../../domain/order/order.ts";
import { followBalance } from "../../domain/order/status/balance.ts";
import {
  missCash,
  completeOrder,
  expireOrder,
  waitsForBank,
  nextCheckAfter,
} from "../../domain/order/status/order-timers-after.ts";
import { isPayable } from "../../domain/payment/owing.ts";
import { amountToCharge } from "../../domain/payment/rounding.ts";
import { waitingAt } from "../../domain/order/status/order-timers.ts";
import { openGatewayRefunds } from "../../domain/payment/refund/refunds.ts";
import { releaseOrderSlot } from "../../domain/order/edit/order-slot.ts";
import { openPayments } from "./begin-payment.ts";
import type { Timestamp } from "../../domain/base/text.ts";
import type { PaymentGateway } from "../../payments/gateway.ts";
import { makeRefunds, reconcileOrder } from "./reconcile-order.ts";
import { stepOrder } from "../order/step-order.ts";

type AdvancingShop = Shop<"table" | "gateways" | "settings", "checkout">;

/**
 * Does everything that an order's state requires now: reconciles open payments with the gateway, cancels them when
 * the order has ended, expires the order, releases its delivery slot, reminds of its balance, makes refunds, completes
 * the order. May be called at any time and concurrently.
 *
 * While no gateway is configured, open payments stay open and orders expire without being reconciled.
 *
 * @returns the time of the next scheduled check; null if none is needed until the order changes
 * @throws Unavailable when the gateway is needed and cannot be reached; call again later
 */
export async function advanceOrder(
  shop: AdvancingShop,
  orderId: string,
  now: Date,
): Promise<Timestamp | null> {
  let record = await openOrders(shop.table).find(orderId);
  if (!record) return null;
  const known = new Set(openPayments(record));
  let isProcessing = false;
  if (needsGateway(record)) {
    const gateway = await shop.gateways.configured();
    if (gateway) ({ record, isProcessing } = await reconcilePayments(shop, record, gateway, now));
  }
  const isWaiting = isProcessing && waitsForBank(record.order, now);
  const isDelivered = record.order.status === "delivered";
  const days = isDelivered ? (await shop.settings.current()).checkout.completed_after_days : null;
  const step = (current: OrderRecord) =>
    days === null
      ? ((isWaiting ? undefined : expire(current, known, now)) ??
        releaseOrderSlot(current, now) ??
        followBalance(current, now))
      : (completeOrder(current, days, now) ?? missCash(current, now));
  record = await stepOrder(shop, record, now, step);
  return isWaiting && waitsForBank(record.order, now)
    ? waitingAt(now)
    : nextCheckAfter(record, days, now);
}

/**
 * If a payment was opened after the reconciliation, the order does not expire yet: the next scheduled check, which is
 * soon, cancels that payment first.
 */
const expire = (current: OrderRecord, known: ReadonlySet<string>, now: Date) =>
  openPayments(current).every((id) => known.has(id)) ? expireOrder(current, now) : undefined;

const needsGateway = (record: OrderRecord): boolean =>
  openPayments(record).length > 0 || openGatewayRefunds(record.rows.transactions).length > 0;

/**
 * Reconciles the order's open payments. Payments that must capture no money are cancelled instead.
 */
async function reconcilePayments(
  shop: AdvancingShop,
  record: OrderRecord,
  gateway: PaymentGateway,
  now: Date,
): Promise<{ record: OrderRecord; isProcessing: boolean }> {
  let latest = record;
  let isProcessing = false;
  for (const paymentId of openPayments(record)) {
    const payment = mustEnd(latest, paymentId, now)
      ? await gateway.cancel(paymentId)
      : await gateway.find(paymentId);
    if (payment?.state === "processing") isProcessing = true;
    if (payment) latest = (await reconcileOrder(shop, latest, payment, now)).record;
  }
  return { record: await makeRefunds(shop, latest, gateway, { now }), isProcessing };
}

/** Whether a payment must capture no money: the order expects none, or another amount, or is about to expire. */
function mustEnd({ order, rows }: OrderRecord, paymentId: string, now: Date): boolean {
  const { status, expires_at } = order;
  if (!isPayable(order)) return true;
  const isExpiring = expires_at !== null && Date.parse(expires_at) <= now.getTime();
  if (status === "pending_payment" && isExpiring) return true;
  const charge = rows.transactions.find(({ provider_ref }) => provider_ref === paymentId);
  return charge?.amount !== amountToCharge(order);
}
