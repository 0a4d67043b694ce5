import type { StoredOrder, TimelineEntry } from "../domain/order.ts";
import type { Transaction } from "../domain/payment.ts";
import { piecesBySku, release } from "../domain/stock.ts";
import { type BuyerKey, uncountOrder } from "./buyers.ts";
import { is } from "./conditions.ts";
import { type CouponUser, uncountUse } from "./coupons.ts";
import { OrderTimeline, OrderTransactions, Orders } from "./orders.ts";
import { changeStock } from "./stock-writes.ts";
import { type Write, put } from "./writes.ts";

/**
 * Everything that ends an order which holds stock: it becomes what `after` says, and what it held goes back, to the
 * shelf and to the counters. Belongs into one transaction, which is refused when the order was written since it was read.
 */
export function endOrder(
  before: StoredOrder,
  after: StoredOrder,
  { entry, refund }: { entry: TimelineEntry; refund: Transaction | null },
  now: Date,
): Write[] {
  const { id: order_id, items, coupon_code, counted } = before;
  const pending = before.status === "pending_payment";
  return [
    put(Orders, after, is("version", before.version)),
    put(OrderTimeline, { ...entry, order_id, position: 0 }),
    ...(refund ? [put(OrderTransactions, { ...refund, order_id })] : []),
    ...[...piecesBySku(items)].map(([sku, count]) => changeStock(sku, release(count), now)),
    ...counted.buyers.map((buyer) => uncountOrder(buyer as BuyerKey, { pending })),
    ...(coupon_code === null
      ? []
      : counted.coupon.map((by) => uncountUse(coupon_code, by as CouponUser))),
  ];
}
