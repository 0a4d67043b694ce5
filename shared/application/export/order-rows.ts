import { exportRow } from "#shared/domain/export/exported-records.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { totalsNow } from "#shared/domain/order/order-view.ts";
import { monthsOfOrders, ordersOfMonth } from "#shared/storage/order/order-lists.ts";
import type { OrderStore } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ReadPortion, byPages, inSequence } from "./portions.ts";

const ordersAtOnce = 50;

/**
 * Every order with its rows, oldest first. An index lists the orders; the content of each order is read from its
 * partition.
 */
export function orderRows(table: Table, orders: OrderStore, now: Date): ReadPortion {
  return inSequence(
    monthsOfOrders(now).map((month) =>
      byPages(async (after) => {
        const page = { limit: ordersAtOnce, after };
        const { records, next } = await ordersOfMonth(table, month, page);
        const found = await Promise.all(records.map(({ id }) => orders.find(id)));
        return { rows: found.flatMap((record) => (record ? [rowOf(record)] : [])), next };
      }),
    ),
  );
}

const rowOf = ({ order, rows }: OrderRecord) =>
  exportRow("orders", "order", { ...order, ...rows, totals: totalsNow(order) });
