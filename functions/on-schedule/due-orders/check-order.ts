import type { Timestamp } from "#shared/domain/base/text.ts";
import { advanceOrder } from "#shared/application/payment/advance-order.ts";
import { pauseAfter } from "#shared/runtime/back-off.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { type DueOrder, scheduleCheck, removeCheck } from "#shared/storage/order/due-orders.ts";
import type { Deps } from "./deps.ts";

const pausesMs = { first: 60_000, longest: 15 * 60_000 };
/**
 * Maximum number of timers that one transaction removes. It also writes the next timer. Further timers of the order
 * stay due, and a later run lists them.
 */
const maxRows = 99;

/**
 * Checks an order and schedules its next check.
 *
 * @param rows all due timers of the order
 * @returns `postponed` if a service did not answer; `broken` if the check failed and retrying may not help
 */
export async function checkOrder(
  orderId: string,
  rows: readonly DueOrder[],
  deps: Deps,
): Promise<"done" | "postponed" | "broken"> {
  const { table, log, now } = deps;
  const begun = now();
  const attempts = 1 + Math.max(...rows.map((row) => row.attempts));
  let next: { at: Timestamp; attempts: number } | null;
  let outcome: "done" | "postponed" | "broken" = "done";
  try {
    const at = await advanceOrder(deps, orderId, begun);
    next = at === null ? null : { at: notBefore(at, begun), attempts: 0 };
  } catch (error) {
    outcome = error instanceof Unavailable ? "postponed" : "broken";
    const facts = { order_id: orderId, attempts, error };
    if (outcome === "broken") log.error("Scheduled check of an order failed", facts);
    else log.warn("Scheduled check of an order postponed", facts);
    next = { at: afterPause(attempts, begun), attempts };
  }
  try {
    await table.transact([
      ...rows.slice(0, maxRows).map(removeCheck),
      ...(next ? [scheduleCheck(orderId, next.at, next.attempts)] : []),
    ]);
    return outcome;
  } catch (error) {
    // The timers stay due and come first in the next run.
    log.warn("Order timers not updated: the next run checks the order again", {
      order_id: orderId,
      error,
    });
    return "postponed";
  }
}

/** The time of the next check. A check that would be due already is moved to a minute from now. */
function notBefore(at: Timestamp, now: Date): Timestamp {
  const soonest = new Date(now.getTime() + pausesMs.first).toISOString();
  return at > now.toISOString() ? at : soonest;
}

const afterPause = (attempts: number, now: Date): Timestamp =>
  new Date(now.getTime() + pauseAfter(attempts, pausesMs)).toISOString();
