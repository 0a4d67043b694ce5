import { DeliveryWindow } from "../../delivery/shipping.ts";
import type { StoredOrder } from "../order.ts";
import * as z from "zod";
import { MoneySum } from "../../base/money.ts";
import { Sale, isOwnSale, saleOf } from "../../base/sales-channel.ts";
import { amountDue } from "../../payment/owing.ts";

/** The days on which an order is to arrive: that of its slot, or else those promised when it was placed. */
export const promisedDates = ({
  slot,
  shipping,
}: Pick<StoredOrder, "slot" | "shipping">): DeliveryWindow =>
  slot ? { min_on: slot.date, max_on: slot.date } : shipping.promised;

/** What staff lists show of an order's lines, address, dates and money. It is stored beside the order. */
export const ListedOrder = z.object({
  city: z.string(),
  recipient: z.string(),
  item_count: z.int(),
  /** Each once. */
  skus: z.array(z.string()),
  /** Left out for an order that its buyer placed alone, because most orders are such and lists read many. */
  sale: Sale.optional(),
  promised: DeliveryWindow,
  grand_total: MoneySum,
  due: MoneySum,
});
export type ListedOrder = z.output<typeof ListedOrder>;

export const listedOrder = (order: StoredOrder): ListedOrder => ({
  city: order.addresses.shipping.city,
  recipient: order.addresses.shipping.name,
  item_count: order.items.reduce((sum, { quantity }) => sum + quantity, 0),
  skus: [...new Set(order.items.flatMap(({ sku }) => sku ?? []))],
  ...(!isOwnSale(order) && { sale: saleOf(order) }),
  promised: promisedDates(order),
  grand_total: order.totals.grand_total,
  due: amountDue(order),
});

/** The members of an order that staff lists read. */
export const rowMembers = [
  "id",
  "number",
  "status",
  "payment_status",
  "payment_method",
  "customer",
  "currency",
  "coupon_code",
  "tags",
  "version",
  "placed_at",
  "updated_at",
  "paid",
  "refunded",
  "attention",
  "invoice",
] as const satisfies readonly (keyof StoredOrder)[];

/** An order as staff lists read it. */
export type OrderRow = Pick<StoredOrder, (typeof rowMembers)[number]> & {
  readonly listed: ListedOrder;
};

export const orderRow = (order: StoredOrder): OrderRow => ({
  ...order,
  listed: listedOrder(order),
});
