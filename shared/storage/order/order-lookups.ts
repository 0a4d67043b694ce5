import type { StoredOrder } from "../../domain/order/order.ts";
import { buyerKeys } from "./buyers.ts";
import { OrdersOfBuyer } from "./orders.ts";
import { type Write, put, remove } from "../writes.ts";

/**
 * Updates the lookups of an order by email and phone. The order stays counted under the email and phone that it was
 * placed with, because checkout applied the shop's limits to them.
 *
 * @param country of the store
 */
export function followContact(before: StoredOrder, after: StoredOrder, country: string): Write[] {
  const { id: order_id, placed_at } = after;
  const [was, is] = [buyerKeys(before.customer, country), buyerKeys(after.customer, country)];
  return [
    ...was
      .filter((buyer) => !is.includes(buyer))
      .map((buyer) => remove(OrdersOfBuyer, { buyer, placed_at, order_id })),
    ...is
      .filter((buyer) => !was.includes(buyer))
      .map((buyer) => put(OrdersOfBuyer, { buyer, placed_at, order_id })),
  ];
}
