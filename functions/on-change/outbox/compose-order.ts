import { orderLinkToken } from "#shared/auth/order-link.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { mayChooseSlot } from "#shared/domain/order/slot-choice.ts";
import { isHeldForBalance } from "#shared/domain/payment/payment-schedule.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import { type Letter, staffAddress } from "#shared/mail/letter.ts";
import {
  orderPaymentChangedLetter,
  orderPlacedLetter,
  orderUrl,
} from "#shared/mail/order-letters.ts";
import {
  orderAttentionLetter,
  orderBalanceLetter,
  orderCancelledLetter,
  orderChooseSlotLetter,
  orderDeliveredLetter,
  orderExpiredLetter,
  orderPaidLetter,
  orderPaymentReceivedLetter,
  orderRefundFailedLetter,
  orderRefundedLetter,
  orderShippedLetter,
  orderSlotPlannedLetter,
} from "#shared/mail/order-step-letters.ts";
import type { OrderStore } from "#shared/storage/order/orders.ts";
import type { Addressed } from "#shared/mail/letter.ts";

import { type OrderEvent, documentOf } from "../carried-document.ts";
import type { Attach } from "./attach-document.ts";

export type { OrderEvent };

/** An event whose mail goes to the buyer. */
type ToBuyer = Exclude<OrderEvent, { type: "order_attention" | "order_copy" }>;

export const isOfOrder = (event: OutboxEvent): event is OrderEvent => "order_id" in event;

type ForOrders = Pick<AllSettings, "store" | "payments" | "shipping" | "email">;

/**
 * Returns the mail about an order; undefined if the mail has no recipient, or its event is stale.
 *
 * @throws DocumentPending while the mail waits for its PDF
 */
export async function composeOrder(
  event: OrderEvent,
  { orders, attach }: { orders: Pick<OrderStore, "find">; attach: Attach },
  settings: ForOrders,
): Promise<Addressed | undefined> {
  const record = await orders.find(event.order_id);
  if (!record) return undefined;
  const { store, email } = settings;
  if (event.type === "order_attention") {
    const to = staffAddress(settings);
    const flag = record.order.attention.find(
      ({ code, at }) => code === event.code && at === event.at,
    );
    return flag && to !== null
      ? { to, ...orderAttentionLetter(store, record.order, flag) }
      : undefined;
  }
  if (event.type === "order_copy") return copyForShop(record, settings);
  const letter = letterToBuyer(event, record, settings);
  if (!letter) return undefined;
  const { id, customer } = record.order;
  const document = documentOf(event, record);
  const isPlaced = event.type === "order_placed";
  const isCopied = isPlaced && email.order_copy_to !== null;
  // The mail about a placed order links to the order anyway.
  const link = isPlaced ? null : orderUrl(store, record.order, orderLinkToken(record.order));
  return {
    to: customer.email,
    ...(isCopied && { copy: { type: "order_copy", order_id: id } }),
    ...(document ? await attach(id, { ...document, link }, letter) : letter),
  };
}

/** The buyer's mail about a placed order, without the link that would let the reader act for the buyer. */
function copyForShop(
  { order }: OrderRecord,
  { store, payments, email }: ForOrders,
): Addressed | undefined {
  const to = email.order_copy_to;
  if (to === null || isOver(order)) return undefined;
  return { to, ...orderPlacedLetter(store, order, payments, null) };
}

const isOver = ({ status }: StoredOrder): boolean => status === "cancelled" || status === "expired";

function letterToBuyer(
  event: ToBuyer,
  record: OrderRecord,
  settings: ForOrders,
): Letter | undefined {
  const { store, payments } = settings;
  const { order, rows } = record;
  const over = isOver(order);
  const url = orderUrl(store, order, orderLinkToken(order));
  switch (event.type) {
    case "order_placed":
      return over ? undefined : orderPlacedLetter(store, order, payments, url);
    case "order_paid":
      return over ? undefined : orderPaidLetter(store, record);
    case "order_payment_received": {
      const charge = rows.transactions.find(({ id }) => id === event.transaction_id);
      return over || !charge ? undefined : orderPaymentReceivedLetter(store, record, charge);
    }
    case "order_payment_changed":
      return over || order.payment_method !== event.method
        ? undefined
        : orderPaymentChangedLetter(store, order, payments, url);
    case "order_balance_due":
    case "order_balance_reminder": {
      if (over || !isHeldForBalance(order)) return undefined;
      const isReminder = event.type === "order_balance_reminder";
      return orderBalanceLetter(store, order, payments, { url, isReminder });
    }
    case "order_choose_slot":
      return mayChooseSlot(record, settings) ? orderChooseSlotLetter(store, order, url) : undefined;
    case "order_slot_planned":
      return order.slot ? orderSlotPlannedLetter(store, order, url) : undefined;
    case "order_shipped":
    case "order_delivered": {
      const shipment = rows.shipments.find(({ id }) => id === event.shipment_id);
      const write = event.type === "order_shipped" ? orderShippedLetter : orderDeliveredLetter;
      return shipment && write(store, record, shipment);
    }
    case "order_cancelled":
      return order.status === "cancelled" ? orderCancelledLetter(store, record) : undefined;
    case "order_expired":
      return order.status === "expired" ? orderExpiredLetter(store, record) : undefined;
    case "order_refunded": {
      const refund = rows.transactions.find(({ id }) => id === event.transaction_id);
      return refund?.state === "succeeded" ? orderRefundedLetter(store, record, refund) : undefined;
    }
    case "order_refund_failed": {
      const refund = rows.transactions.find(({ id }) => id === event.transaction_id);
      return refund && orderRefundFailedLetter(store, record, refund);
    }
  }
}
