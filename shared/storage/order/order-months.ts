import * as z from "zod";
import { isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { put, unlessRefused } from "../writes.ts";

const partition = "ORDERMONTHS";

/** The months in which orders were placed, in UTC: lists of all orders skip the others. */
export const OrderMonths = entity({
  name: "order_month",
  notExported: "derived",
  schema: z.object({ month: z.string().regex(/^\d{4}-\d{2}$/) }),
  key: ({ month }: { month: string }) => ({ pk: partition, sk: month }),
});

/** The month of a time, such as `2026-11`. */
export const monthOf = (moment: Date | string): string =>
  (typeof moment === "string" ? moment : moment.toISOString()).slice(0, 7);

/** Stores that these months have orders. Safe to repeat. */
export async function keepMonths(table: Table, months: readonly string[]): Promise<void> {
  const stored = (month: string) => unlessRefused(table.write(put(OrderMonths, { month }, isNew)));
  await Promise.all(months.map(stored));
}

/**
 * The months that have orders, newest first. The first order of a month is noted some seconds after it was placed, so
 * the current month may be missing.
 */
export async function monthsWithOrders(table: Table): Promise<string[]> {
  const { records } = await table.query(OrderMonths, { partition, newestFirst: true });
  return records.map(({ month }) => month);
}
