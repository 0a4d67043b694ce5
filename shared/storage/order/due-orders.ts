import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

const partition = "DUE";

/**
 * A scheduled check of an order: it may expire, its payment may need to be reconciled, a refund may have to be made,
 * or it may be completed. The check decides from the order itself, so an outdated row is harmless and is never
 * deleted early.
 *
 * All rows share one partition key, which supports 500 orders per second.
 */
export const DueOrders = entity({
  name: "due_order",
  notExported: "derived",
  schema: z.object({
    order_id: z.string(),
    at: Timestamp,
    /** Number of checks in a row that failed or were postponed. */
    attempts: z.int().min(0),
  }),
  key: ({ at, order_id }: { at: string; order_id: string }) => ({
    pk: partition,
    sk: `${at}#${order_id}`,
  }),
});
export type DueOrder = z.output<typeof DueOrders.schema>;

/** Schedules a check of an order at `at`. */
export function scheduleCheck(order_id: string, at: Timestamp, attempts = 0): Write {
  return put(DueOrders, { order_id, at, attempts });
}

/** Removes a check after it ran. Another row may still schedule a check of the same order. */
export const removeCheck = (due: DueOrder): Write => remove(DueOrders, due);

/** Orders whose check is due, the longest overdue first. */
export async function listDueOrders(table: Table, now: Date, limit: number): Promise<DueOrder[]> {
  const { records } = await table.page(DueOrders, { partition }, { limit });
  const until = now.toISOString();
  return records.filter(({ at }) => at <= until);
}
