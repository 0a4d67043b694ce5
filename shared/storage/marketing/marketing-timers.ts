import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

const partition = "MARKETINGDUE";

/** What is checked: a product's stock or price for its alerts, or a customer's cart. */
export const MarketingTask = z.enum(["back_in_stock", "price_drop", "cart_reminder"]);
export type MarketingTask = z.output<typeof MarketingTask>;

/**
 * A scheduled check that may cause marketing mails. The check decides from the records themselves, so an outdated row
 * is harmless and is never deleted early.
 */
export const MarketingTimers = entity({
  name: "marketing_timer",
  notExported: "derived",
  schema: z.object({
    task: MarketingTask,
    /** Id of the product or customer. */
    about: z.string(),
    at: Timestamp,
    /** Number of checks without a result. */
    attempts: z.int().min(0),
  }),
  key: ({ at, task, about }: { at: string; task: MarketingTask; about: string }) => ({
    pk: partition,
    sk: `${at}#${task}#${about}`,
  }),
});
export type MarketingTimer = z.output<typeof MarketingTimers.schema>;

/** Schedules a check at `at`. */
export const scheduleTask = (
  timer: Pick<MarketingTimer, "task" | "about" | "at">,
  attempts = 0,
): Write => put(MarketingTimers, { ...timer, attempts });

/** Removes a check after it ran. Another row may still schedule one. */
export const removeTask = (timer: MarketingTimer): Write => remove(MarketingTimers, timer);

/** The checks that are due, the longest overdue first. */
export async function listDueTasks(
  table: Table,
  now: Date,
  limit: number,
): Promise<MarketingTimer[]> {
  const { records } = await table.page(MarketingTimers, { partition }, { limit });
  const until = now.toISOString();
  return records.filter(({ at }) => at <= until);
}
