import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

const partition = "DUE";

/**
 * An order that has to be looked at from a moment on: it may expire, its payment may have to be asked about, a refund
 * may have to be made, it may be completed. What is to be done follows from the order, so a row that nothing needs any
 * more does no harm, and none has to be taken back.
 *
 * All stand in one partition, which bears 1,000 orders a second.
 */
export const DueOrders = entity({
  name: "due_order",
  schema: z.object({
    order_id: z.string(),
    at: Timestamp,
    /** How often it was looked at in vain. */
    attempts: z.int().min(0),
  }),
  key: ({ at, order_id }: { at: string; order_id: string }) => ({
    pk: partition,
    sk: `${at}#${order_id}`,
  }),
});
export type DueOrder = z.output<typeof DueOrders.schema>;

/** Has an order looked at from `at` on. */
export function lookAt(order_id: string, at: Timestamp, attempts = 0): Write {
  return put(DueOrders, { order_id, at, attempts });
}

/** Done with: it is looked at no more, unless another row says so. */
export const lookedAt = (due: DueOrder): Write => remove(DueOrders, due);

/** The orders that are due, the longest due first. */
export async function listDueOrders(table: Table, now: Date, limit: number): Promise<DueOrder[]> {
  const { records } = await table.query(DueOrders, { partition, limit });
  const until = now.toISOString();
  return records.filter(({ at }) => at <= until);
}
