import { randomBytes } from "node:crypto";
import { newId } from "#shared/domain/base/ids.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const period = 30 * 86_400_000;

/** The orders of a shop for which the list of orders has its budget. */
export const recentOrders = 500;

/** Plants `recentOrders` that were placed evenly over the last 30 days. */
export async function plantRecentOrders(table: Table): Promise<void> {
  const orders = Array.from({ length: recentOrders }, (_, number) => {
    const placed = new Date(Date.now() - (number * period) / recentOrders);
    const id = newId("ord", placed);
    const named = orderNumber(randomBytes(16));
    return { ...aPlacedOrder(), id, number: named, placed_at: placed.toISOString() };
  });
  await table.writeMany(orders.map((order) => put(Orders, order)));
}
