import type { StoredOrder } from "../../domain/order/order.ts";
import { buyerKeys } from "./buyers.ts";
import { OrdersOfBuyer } from "./orders.ts";
import { type Write, put, remove } from "../writes.ts";

/**
 * Has an order found under the email and phone that it has now. It goes on being counted under those it was placed
 * with, where checkout held it to the shop's limits.
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
